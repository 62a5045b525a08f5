import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import { DECLARED_RULES, type PanelEvent } from "../../event-meaning.ts";
import { Id } from "../../schemas.ts";
import { Reason, Status } from "../fleet/contract.ts";

/** Incidents on one page, open ones that one answer tells, nodes that an incident names, and what people may write. */
export const PAGE_MAX = 100;
export const OPEN_MAX = 500;
export const NODES_MAX = 200;
export const NOTES_MAX = 200;
const NOTE_LENGTH = 2_000;

const Count = t.Integer();

/** One thing that is or was wrong, however many nodes it has. */
export const Incident = t.Object({
  id: t.String(),
  severity: t.UnionEnum(["warning", "critical"]),
  /** What the fleet shows, or what a feature of the panel declared. */
  rule: t.Union([Reason, ...DECLARED_RULES.map((rule) => t.Literal(rule))]),
  region: NullableText,
  /** What was wrong with its first node; empty for old ones. */
  title: t.String(),
  /** How many nodes it had at most; 0 where it is about something else. */
  nodes: Count,
  /** The page of what it is about; null where that is nodes. */
  link: NullableText,
  /** When it began, when it was told of, and when it was over; all RFC 3339. */
  since: t.String(),
  opened_at: t.String(),
  over_at: NullableText,
  escalated_at: NullableText,
  /** Who said last that they know of it. */
  acknowledged: Nullable(t.Object({ at: t.String(), by: NullableText })),
  /** How often it came back soon after it was over. */
  reopened: Count,
});
export type Incident = Static<typeof Incident>;

export const IncidentsQuery = t.Object({
  /** Open when it is not said. */
  state: t.Optional(t.Union([t.Literal("open"), t.Literal("over")])),
  limit: t.Integer({ minimum: 1, maximum: PAGE_MAX, default: 50 }),
  /** Of those that are over: only those before the one with this id, the last one of the page before. */
  before: t.Optional(Id),
});
export type IncidentsQuery = Static<typeof IncidentsQuery>;

/** Those open: what nobody has first, then the worst, then the newest, all of them. Those over: the newest first. */
export const Incidents = t.Object({
  incidents: t.Array(Incident),
  /** How many are open, and how many of these nobody has. */
  open: Count,
  unknown: Count,
});
export type Incidents = Static<typeof Incidents>;

export const ENTRY_KINDS = ["opened", "grown", "escalated", "acknowledged", "noted", "reopened", "over"] as const;

export const IncidentEntry = t.Object({
  id: t.String(),
  at: t.String(),
  kind: t.UnionEnum([...ENTRY_KINDS]),
  /** Whoever did it; null when nobody did, or they are gone. */
  by: NullableText,
  text: t.String(),
  /** How many nodes it had then; 0 where that says nothing. */
  nodes: Count,
});
export type IncidentEntry = Static<typeof IncidentEntry>;

/** A node of an incident as it is now; one that was deleted meanwhile has no status. */
const IncidentNode = t.Object({
  instance_id: t.String(),
  hostname: t.String(),
  since: t.String(),
  status: Nullable(Status),
});

/** An incident with its nodes, those since longest first, and what happened to it, the latest first. */
export const IncidentDetail = t.Composite([
  Incident,
  t.Object({ affected: t.Array(IncidentNode), timeline: t.Array(IncidentEntry) }),
]);
export type IncidentDetail = Static<typeof IncidentDetail>;

export const NoteInput = t.Object({ text: t.String({ minLength: 1, maxLength: NOTE_LENGTH, pattern: "\\S" }) });

/** What an incident is about. */
export interface Cause {
  rule: Static<typeof Reason>;
  region: string;
  severity: "warning" | "critical";
  /** What is wrong with its first node, "atlas-7 is offline". */
  title: string;
  /** The same for those who say it in their own words: the name of that node, and the share in percent or the number it is about. */
  hostname: string;
  figure: number;
  nodes: number;
}

export type IncidentEvents = {
  "incident.opened": PanelEvent & Cause & { incident_id: string };
  /** Nobody said that they know of it for long, or it has grown. */
  "incident.escalated": PanelEvent & Cause & { incident_id: string; reason: "unknown" | "growth" };
  /** Somebody wrote something about it. */
  "fleet.incident.note": PanelEvent & { incident_id: string; title: string };
};

export const fail = defineErrors({
  incident_not_found: [404, "There is no incident {id} here. Incidents are kept for 90 days after they are over."],
  too_many_notes: [
    409,
    "An incident holds {limit} notes at most. Write further ones where your team keeps its records.",
  ],
});

export const fleetIncidentRoutes = defineRoutes({
  "GET /api/fleet/incidents": { access: can("fleet:read"), query: IncidentsQuery, out: Incidents },
  "GET /api/fleet/incidents/{id}": {
    access: can("fleet:read"),
    params: t.Object({ id: Id }),
    out: IncidentDetail,
  },
  "POST /api/fleet/incidents/{id}/notes": {
    access: can("fleet:write"),
    params: t.Object({ id: Id }),
    body: NoteInput,
    out: IncidentEntry,
  },
});
export type FleetIncidentApi = ApiOf<typeof fleetIncidentRoutes>;
