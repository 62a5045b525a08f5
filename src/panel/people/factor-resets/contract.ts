import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { can, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id } from "../../schemas.ts";
import type { RoleName } from "../tenants/contract.ts";

const moments = {
  /** Who asked for it, by name; null for somebody who is gone. */
  asked_by: NullableText,
  asked_at: t.String(),
  /** When the factors are taken off, unless somebody stops it before. */
  effective_at: t.String(),
};

export const FactorReset = t.Object({
  member_id: t.String(),
  display_name: t.String(),
  email: t.String(),
  ...moments,
});
export type FactorReset = Static<typeof FactorReset>;

/** A reset of the caller's own factors. */
export const OwnFactorReset = t.Object({ workspace: t.String(), ...moments });
export type OwnFactorReset = Static<typeof OwnFactorReset>;

export const FactorResetBegun = t.Object({
  member_id: t.String(),
  effective_at: t.String(),
  /** Whether the member and the owners are told by mail too. */
  by_mail: t.Boolean(),
});
export type FactorResetBegun = Static<typeof FactorResetBegun>;

const Stopped = t.Object({ status: t.Literal("stopped"), count: t.Integer() });
export type Stopped = Static<typeof Stopped>;

/** How a reset came to its end. */
export type ResetEnd = "done" | "stopped" | "void";

export type FactorResetEvents = {
  "team.factor_reset": PanelEvent & { member_id: string; name: string; role: RoleName; effective_at: string };
  /** Nothing was taken off: somebody stopped it, or (`void`) it was not allowed any more when its time came. */
  "team.factor_reset_stop": PanelEvent & { member_id: string; name: string; role: RoleName; end: "stopped" | "void" };
  "team.factor_reset_done": PanelEvent & { member_id: string; name: string; role: RoleName };
};

export const fail = defineErrors({
  reset_member_not_found: [404, "There is no member {id} with access to this workspace."],
  reset_not_found: [404, "No reset of second factors is under way for {id}. Nothing is left to stop."],
  reset_own_factor: [
    409,
    "You cannot reset your own second factors. Change them under Security of your account, or ask another owner.",
    () => ({ error: "own_factor" }),
  ],
  reset_without_factor: [409, "{name} has no second factor: the passphrase alone opens the account already."],
  reset_under_way: [409, "A reset for {name} is under way already. It takes effect at {effective_at}."],
  reset_other_workspace: [
    409,
    "{name} works in other workspaces too, which a reset must not weaken. Whoever runs this panel can do it: `orrery-panel reset-factors --email {email}`.",
    () => ({ error: "other_workspace" }),
  ],
  reset_owner_required: [403, "Only an owner may reset the second factors of an owner."],
});

const managing = can("users:manage", { ownRole: true });
const themselves = signedIn({ whileUnenrolled: true, whileSuspended: true });

export const factorResetRoutes = defineRoutes({
  "GET /api/team/factor-resets": {
    access: can("users:manage"),
    out: t.Object({ resets: t.Array(FactorReset) }),
  },
  "POST /api/team/members/{id}/factor-reset": {
    access: managing,
    params: t.Object({ id: Id }),
    out: { 202: FactorResetBegun },
  },
  "DELETE /api/team/members/{id}/factor-reset": { access: managing, params: t.Object({ id: Id }), out: Stopped },
  /** Of the caller's own account, in every workspace. */
  "GET /api/auth/factor-resets": { access: themselves, out: t.Object({ resets: t.Array(OwnFactorReset) }) },
  "DELETE /api/auth/factor-resets": { access: themselves, out: Stopped },
});
export type FactorResetApi = ApiOf<typeof factorResetRoutes>;
