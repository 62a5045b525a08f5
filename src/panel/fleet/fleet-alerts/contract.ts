import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { FleetAlert, NodeId, Reason, Severity } from "../fleet/contract.ts";

const Count = t.Integer();

/** Groups that one answer tells, and the nodes of a group that it names. */
export const GROUPS_MAX = 200;
export const NAMED_MAX = 50;
/** Acknowledgements of a workspace that still stand for something. */
export const ACKNOWLEDGED_MAX = 500;

/** Who said that they know, and when. */
export const Acknowledged = t.Object({ at: t.String(), by: NullableText });
export type Acknowledged = Static<typeof Acknowledged>;

/** An alert of one node within a group. */
export const GroupedAlert = t.Object({
  id: t.String(),
  instance_id: t.String(),
  hostname: t.String(),
  title: t.String(),
  at: t.String(),
  acknowledged: Nullable(Acknowledged),
});
export type GroupedAlert = Static<typeof GroupedAlert>;

/** Alerts that have one cause as far as anybody can see: the same trouble in the same region, begun at about the same time. */
export const AlertGroup = t.Object({
  id: t.String(),
  severity: Severity,
  kind: FleetAlert.properties.kind,
  rule: Reason,
  region: NullableText,
  count: Count,
  /** How many of them somebody knows of. */
  acknowledged: Count,
  /** When the first and the last of them began. */
  since: t.String(),
  latest: t.String(),
  /** The first ones that nobody knows of, then the others; at most 50. */
  alerts: t.Array(GroupedAlert),
});
export type AlertGroup = Static<typeof AlertGroup>;

/** Alerts that nobody has acknowledged, by severity. */
export const AlertCounts = t.Object({ critical: Count, warning: Count, info: Count });
export type AlertCounts = Static<typeof AlertCounts>;

export const AlertGroupsQuery = t.Object({ limit: t.Optional(t.Integer({ minimum: 1, maximum: GROUPS_MAX })) });

/** The worst first; of the same severity those that nobody knows of, then the newest. */
export const AlertGroups = t.Object({
  groups: t.Array(AlertGroup),
  /** Groups in all. */
  total: Count,
  /** Alerts in all, and how many of them somebody knows of. */
  alerts: Count,
  acknowledged: Count,
  open: AlertCounts,
});
export type AlertGroups = Static<typeof AlertGroups>;

/** Which alerts: a rule in a region, begun between two moments; of one node or of all. */
export const AcknowledgeInput = t.Object({
  rule: Reason,
  region: Nullable(t.String({ minLength: 1, maxLength: 256 })),
  since: t.String({ maxLength: 40 }),
  latest: t.String({ maxLength: 40 }),
  instance_id: t.Optional(NodeId),
});
export type AcknowledgeInput = Static<typeof AcknowledgeInput>;

/** How many alerts it was that nobody knew of before. */
export const AlertsAcknowledged = t.Object({ acknowledged: Count });
export type AlertsAcknowledged = Static<typeof AlertsAcknowledged>;

export type FleetAlertEvents = {
  /** Somebody said that they know of alerts; `node_id` is the first of their nodes. */
  "fleet.alert.acknowledge": PanelEvent & { node_id: string; rule: string; region: string | null; alerts: number };
};

export const fail = defineErrors({
  alert_not_open: [404, "No alert of this kind is open any more. Look again: what was wrong may be over."],
  too_many_acknowledged: [
    409,
    "{limit} acknowledgements stand already. Acknowledge whole groups rather than single nodes.",
  ],
});

export const fleetAlertRoutes = defineRoutes({
  "GET /api/fleet/alerts/groups": { access: can("fleet:read"), query: AlertGroupsQuery, out: AlertGroups },
  "POST /api/fleet/alerts/acknowledge": {
    access: can("fleet:write"),
    body: AcknowledgeInput,
    out: AlertsAcknowledged,
  },
});
export type FleetAlertApi = ApiOf<typeof fleetAlertRoutes>;
