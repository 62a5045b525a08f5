import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { NODE_PLANS } from "../../../shared/plans/index.ts";
import { admin } from "../../access.ts";

/**
 * How a node stands with its panel: `none` belongs to no panel; `connecting` until the first heartbeat after a start;
 * `connected`; `retrying` while the panel is away; `needs_new_token` when its certificate is of no use any more; `deleted`
 * when the panel removed it from the fleet.
 */
export const LinkPhase = t.Union([
  t.Literal("none"),
  t.Literal("connecting"),
  t.Literal("connected"),
  t.Literal("retrying"),
  t.Literal("needs_new_token"),
  t.Literal("deleted"),
]);
export type LinkPhase = Static<typeof LinkPhase>;

export const PanelStatus = t.Object({
  phase: LinkPhase,
  /** The dashboard of the panel; null when the panel did not tell it. */
  panel_url: NullableText,
  /** Where this node calls. */
  agent_url: NullableText,
  /** This node's name on the panel. */
  instance_id: NullableText,
  plan: t.UnionEnum([...NODE_PLANS]),
  /** Who says which plan it is: the panel's license, or this server's own configuration. */
  plan_from: t.Union([t.Literal("panel"), t.Literal("configuration")]),
  license_expires_at: NullableText,
  /** The license ended; its plan holds for 14 more days. */
  license_in_grace: t.Boolean(),
  certificate_expires_at: NullableText,
  /** Less than 14 days are left, so that renewing has failed for a while. */
  certificate_ends_soon: t.Boolean(),
  connected_since: NullableText,
  last_heartbeat_at: NullableText,
  next_try_at: NullableText,
  last_error: NullableText,
  /** Seconds that this server's clock is ahead of the panel's; null while it is right or unknown. */
  clock_ahead_seconds: NullableNumber,
  /** How many came in over this panel, and end with it. */
  people: t.Integer(),
});
export type PanelStatus = Static<typeof PanelStatus>;

/** What ended with a membership: accounts of its people, their sessions, and how many of each kind of lasting way. */
export const PeopleEnded = t.Object({
  people: t.Integer(),
  sessions: t.Integer(),
  ways: t.Record(t.String(), t.Integer()),
});
export type PeopleEnded = Static<typeof PeopleEnded>;

export const PanelLeft = t.Object({ ...PanelStatus.properties, ended: PeopleEnded });
export type PanelLeft = Static<typeof PanelLeft>;

export const ConnectInput = t.Object({
  /** The command that the panel shows, whole: `orrery-node connect --panel … --token … --pin …`. */
  line: t.String({ minLength: 1, maxLength: 2_000 }),
});
export type ConnectInput = Static<typeof ConnectInput>;

export const fail = defineErrors({
  panel_line_invalid: [400, "This is not the line that the panel shows: {reason}. Copy it whole and try again."],
  panel_connected: [409, "This node belongs to a panel already. Disconnect it first."],
  panel_not_connected: [409, "This node belongs to no panel."],
  panel_only_admins: [
    409,
    "Every admin of this server came over the panel and would be switched off with it. Make an admin of this server's own first, or run on the server: orrery-node disconnect",
  ],
  panel_refused: [422, "The panel did not take this node: {reason}"],
  panel_unreachable: [502, "{reason}"],
  shell_disabled: [
    403,
    "Terminals from the panel are off on this server. Its owner can let them in: settings, Panel, in the server's own dashboard.",
  ],
});

export type PanelLinkEvents = {
  /** `by` is a user's id, or `host` for somebody at the command line. */
  "panel.connected": { by: string; panel: string; instance_id: string; ip: string };
  "panel.disconnected": { by: string; panel: string; instance_id: string; ip: string };
  /** Accounts that came over a panel were switched off, and what let them in has ended. `by` may be `panel` itself too. */
  "panel.people_ended": {
    by: string;
    panel: string;
    people: number;
    sessions: number;
    /** Lasting ways by their kinds. */
    ended: Record<string, number>;
    ip: string;
  };
  /** Staff of the panel came in, whom the workspace lets in for so long. */
  "panel.visit_begun": { by: string; panel: string; until: string; ip: string };
  /** As `panel.people_ended`, of such staff alone. */
  "panel.visits_ended": PanelLinkEvents["panel.people_ended"];
  "panel.ended": { panel: string; reason: "needs_new_token" | "deleted"; ip: string };
  "panel.plan_changed": { plan: string; before: string; ip: string };
  "panel.clock_skewed": { ahead_seconds: number };
  "panel.command_run": {
    command_id: string;
    type: string;
    status: "succeeded" | "failed" | "refused";
    detail: string;
    actor: "panel";
    ip: string;
  };
};

export const panelLinkRoutes = defineRoutes({
  "GET /api/cp/status": { access: admin("settings"), out: PanelStatus },
  "POST /api/cp/connect": { access: admin("settings", { keys: "never" }), body: ConnectInput, out: PanelStatus },
  /** Asks for a heartbeat now instead of at its time; the answer does not wait for it. */
  "POST /api/cp/heartbeat": { access: admin("settings"), out: PanelStatus },
  /** Leaves the panel, and switches off the accounts of those who came in over it. */
  /** Ends the accounts of whoever came over the panel with all that lets them in, which nobody takes back. */
  "POST /api/cp/disconnect": { access: admin("settings", { keys: "never" }), out: PanelLeft },
});
export type PanelLinkApi = ApiOf<typeof panelLinkRoutes>;
