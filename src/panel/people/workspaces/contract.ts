import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id, Name } from "../../schemas.ts";
import { Mode, RoleName, User } from "../tenants/contract.ts";

export const Workspace = t.Object({
  id: t.String(),
  name: t.String(),
  plan: t.String(),
  status: t.Union([t.Literal("active"), t.Literal("suspended")]),
  mode: Mode,
  mode_chosen: t.Boolean(),
  role: RoleName,
  member_id: t.String(),
  parent_tenant_id: NullableText,
  last_active_at: NullableText,
  created_at: t.String(),
  open_incidents: t.Integer(),
  unread_notifications: t.Integer(),
  initials: t.String(),
  color: t.String(),
  current: t.Boolean(),
});
export type Workspace = Static<typeof Workspace>;

export const WorkspaceList = t.Object({ current_id: t.String(), workspaces: t.Array(Workspace) });

export const WorkspaceInput = t.Object({
  name: Name,
  mode: t.Optional(Mode),
  as_client: t.Optional(t.Boolean()),
});
export type WorkspaceInput = Static<typeof WorkspaceInput>;

export const WorkspaceParams = t.Object({ id: Id });

/** As in the user. */
const Marked = t.Optional(t.Literal(true));

/** A token for another workspace, which is the current one from then on. */
export const Entered = t.Object({
  token: t.String(),
  user: User,
  workspace: Workspace,
  mfa_enrollment_required: Marked,
});
export type Entered = Static<typeof Entered>;

/** `mode` says what became of the membership. Token, user and workspace come when the current one was left. */
export const Left = t.Object({
  status: t.Literal("left"),
  workspace_id: t.String(),
  mode: t.Union([t.Literal("deleted"), t.Literal("disabled")]),
  token: t.Optional(t.String()),
  user: t.Optional(User),
  workspace: t.Optional(Workspace),
  mfa_enrollment_required: Marked,
  reauth_required: t.Optional(t.Literal(true)),
});
export type Left = Static<typeof Left>;

/** Token, user and workspace come when the current one was deleted. */
export const Deleted = t.Object({
  status: t.Literal("deleted"),
  workspace_id: t.String(),
  token: t.Optional(t.String()),
  user: t.Optional(User),
  workspace: t.Optional(Workspace),
  mfa_enrollment_required: Marked,
  reauth_required: t.Optional(t.Literal(true)),
});
export type Deleted = Static<typeof Deleted>;

export type WorkspaceEvents = {
  "workspace.rename": PanelEvent & { name: string; previous: string };
  /** Told in the workspace of the service provider. */
  "workspace.delete": PanelEvent & { workspace_id: string; name: string };
  /** By its owner, told in the new workspace and, for a client, in that of the service provider. */
  "workspace.create": PanelEvent & { workspace_id: string; name: string };
  /** By the membership that was entered. */
  "account.enter": PanelEvent;
  "account.leave": PanelEvent & { role: RoleName };
};

export const fail = defineErrors({
  workspace_not_found: [404, "You are not a member of a workspace {id}."],
  workspace_not_active: [403, "The workspace {name} is suspended. Ask support.", () => ({ error: "reauth_required" })],
  access_disabled: [
    403,
    "Your access to the workspace {name} is disabled. Ask one of its owners.",
    () => ({ error: "reauth_required" }),
  ],
  last_workspace: [
    409,
    "This is your only workspace. Make or join another one first.",
    () => ({ error: "last_workspace" }),
  ],
  workspace_role_missing: [
    403,
    "Your role in {name} does not allow this. Ask one of its owners.",
    () => ({ error: "forbidden" }),
  ],
  workspace_in_use: [
    409,
    "This workspace has {nodes} nodes and {clients} clients, and {served} nodes of its service provider are for it. Delete or move them first.",
  ],
  not_an_msp: [403, "Only owners and admins of a workspace in MSP mode can add clients."],
  too_many_workspaces: [409, "An account can be in at most {limit} workspaces."],
  too_many_own_workspaces: [
    409,
    "An account can own at most {limit} workspaces. Delete one that you do not need, or hand one on to somebody else.",
  ],
  too_many_clients: [
    409,
    "A workspace on the plan {plan} can have at most {limit} clients. Choose a larger plan for more.",
  ],
});

// A suspended workspace must not keep its members from their other ones.
const access = signedIn({ whileSuspended: true, whileUnenrolled: true });

export const workspaceRoutes = defineRoutes({
  "GET /api/workspaces": { access, out: WorkspaceList },
  "POST /api/workspaces": { access: signedIn(), body: WorkspaceInput, out: Entered },
  "PATCH /api/workspaces/{id}": {
    access: signedIn(),
    params: WorkspaceParams,
    body: t.Object({ name: Name }),
    out: Workspace,
  },
  "DELETE /api/workspaces/{id}": { access: signedIn(), params: WorkspaceParams, out: Deleted },
  "POST /api/workspaces/{id}/switch": { access, params: WorkspaceParams, out: Entered },
  "POST /api/workspaces/{id}/leave": { access, params: WorkspaceParams, out: Left },
});
export type WorkspaceApi = ApiOf<typeof workspaceRoutes>;
