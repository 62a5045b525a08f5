import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { LineText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can, staffOnly } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id } from "../../schemas.ts";

/** Longest time for which a workspace lets staff in. */
const HOURS_MAX = 72;
/** How many permits of the past a workspace is shown. */
export const PAST_MAX = 20;

export const Status = t.Union([t.Literal("active"), t.Literal("suspended")]);

export const StaffWorkspace = t.Object({
  id: t.String(),
  name: t.String(),
  plan: t.String(),
  status: Status,
  created_at: t.String(),
  members: t.Integer(),
  nodes: t.Integer(),
  /** Addresses of owners, at most three. */
  owners: t.Array(t.String()),
  /** Until when staff may come in; null where nobody lets them. */
  permit_ends_at: NullableText,
});
export type StaffWorkspace = Static<typeof StaffWorkspace>;

export const StaffList = t.Object({ items: t.Array(StaffWorkspace), total: t.Integer() });
export type StaffList = Static<typeof StaffList>;

const ListQuery = t.Object({
  /** In the name, the id or the address of an owner. */
  q: t.Optional(t.String({ maxLength: 200 })),
  status: t.Optional(Status),
  limit: t.Integer({ minimum: 1, maximum: 100, default: 50 }),
  offset: t.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
});
export type ListQuery = Static<typeof ListQuery>;

const PlanInput = t.Object({
  plan: t.Union([
    t.Literal("free"),
    t.Literal("pro"),
    t.Literal("team"),
    t.Literal("business"),
    t.Literal("enterprise"),
  ]),
});

export const Permit = t.Object({
  id: t.String(),
  note: t.String(),
  /** Who gave it; null for a member who is gone. */
  given_by: NullableText,
  given_at: t.String(),
  ends_at: t.String(),
  ended_at: NullableText,
  /** Who of the staff came in. */
  visitors: t.Array(t.Object({ name: t.String(), entered_at: t.String() })),
});
export type Permit = Static<typeof Permit>;

export const Permits = t.Object({ open: Nullable(Permit), past: t.Array(Permit) });
export type Permits = Static<typeof Permits>;

export const PermitInput = t.Object({
  hours: t.Integer({ minimum: 1, maximum: HOURS_MAX }),
  note: LineText(300),
});
export type PermitInput = Static<typeof PermitInput>;

export const fail = defineErrors({
  staff_workspace_not_found: [404, "There is no workspace {id} on this panel."],
  staff_workspace_same: [409, "The workspace {name} is {status} already."],
  staff_not_let_in: [
    403,
    "The workspace {name} lets nobody of the staff in at the moment. One of its owners or admins can, under Settings.",
  ],
  staff_permit_open: [409, "Staff is let in until {ends_at} already. End that first."],
  staff_permit_none: [404, "Nobody of the staff is let in at the moment."],
});

export type StaffEvents = {
  "workspace.suspend": PanelEvent & { reason: string; staff: string };
  "workspace.resume": PanelEvent & { staff: string };
  "workspace.plan_by_staff": PanelEvent & { plan: string; previous: string; staff: string };
  "workspace.support_open": PanelEvent & { permit_id: string; note: string; hours: number };
  "workspace.support_close": PanelEvent & { permit_id: string; is_early: boolean };
  "workspace.support_enter": PanelEvent & { permit_id: string; staff: string };
};

const Params = t.Object({ id: Id });
const write = can("settings:write", { ownRole: true });

export const staffRoutes = defineRoutes({
  "GET /api/staff/workspaces": { access: staffOnly(), query: ListQuery, out: StaffList },
  "POST /api/staff/workspaces/{id}/suspend": {
    access: staffOnly(),
    params: Params,
    body: t.Object({ reason: LineText(300) }),
    out: StaffWorkspace,
  },
  "POST /api/staff/workspaces/{id}/resume": { access: staffOnly(), params: Params, out: StaffWorkspace },
  "PUT /api/staff/workspaces/{id}/plan": { access: staffOnly(), params: Params, body: PlanInput, out: StaffWorkspace },
  /** Makes the caller a member as long as the workspace lets staff in; `switch` takes them there. */
  "POST /api/staff/workspaces/{id}/enter": { access: staffOnly(), params: Params, ...noContent() },
  "GET /api/support-access": { access: can("settings:read"), out: Permits },
  "POST /api/support-access": { access: write, body: PermitInput, out: Permits },
  "DELETE /api/support-access": { access: write, out: Permits },
});
export type StaffApi = ApiOf<typeof staffRoutes>;
