import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import type { PanelTx } from "../../base.ts";
import { byMember, type PanelEvent } from "../../event-meaning.ts";
import type { FleetAlertEvents } from "../fleet-alerts/contract.ts";
import {
  fail,
  type Incident,
  type IncidentDetail,
  type IncidentEntry,
  type Incidents,
  type IncidentsQuery,
  NODES_MAX,
  NOTES_MAX,
  OPEN_MAX,
} from "./contract.ts";
import type { Needs } from "./needs.ts";
import { findIncident, listOpen, listOver, markCauseKnown, type NamedIncidentRow } from "./store.ts";
import { countNotes, type EntryRow, insertEntry, listAffected, listEntries } from "./timeline-store.ts";

/** What one answer tells of what happened, beside the notes. */
const ENTRIES_MAX = 400;
/** Greater than every id, `inc_…`, by every rule of sorting. */
const END = "ind";

const namesOf = ({ lists }: Pick<Needs, "lists">, kind: "member" | "node") =>
  lists.names.all().filter((source) => source.kind === kind);
const optional = (at: number | null): string | null => (at === null ? null : toIso(at));

function present(row: NamedIncidentRow): Incident {
  const { id, severity, rule, region, title, known_at, known_name, reopened } = row;
  return {
    ...{ id, severity, rule, region: region || null, title, nodes: row.nodes_most },
    ...{ since: toIso(row.since), opened_at: toIso(row.opened_at) },
    over_at: optional(row.resolved_at),
    escalated_at: optional(row.escalated_at),
    acknowledged: known_at === null ? null : { at: toIso(known_at), by: known_name },
    reopened,
    link: row.link || null,
  };
}

const presentEntry = ({ id, at, kind, by, text, nodes }: EntryRow & { by: string | null }): IncidentEntry => ({
  ...{ id, kind, by, text, nodes },
  at: toIso(at),
});

/** What is wrong with the fleet as one thing for one cause, or was. */
export async function listIncidents(
  needs: Pick<Needs, "lists">,
  { db }: Actor,
  { state, limit, before = END }: IncidentsQuery,
): Promise<Incidents> {
  const members = namesOf(needs, "member");
  const open = await listOpen(db, members, OPEN_MAX);
  const rows = state === "over" ? await listOver(db, members, before, limit) : open;
  return {
    incidents: rows.map(present),
    open: open.length,
    unknown: open.filter(({ known_at }) => known_at === null).length,
  };
}

/** One incident with its nodes and what happened. Throws `incident_not_found`. */
export async function readIncident(
  needs: Pick<Needs, "lists" | "live">,
  actor: Actor,
  id: string,
): Promise<IncidentDetail> {
  const members = namesOf(needs, "member");
  const row = await findIncident(actor.db, members, id);
  if (!row) throw fail("incident_not_found", { id });
  const fleet = needs.live.fleetOf(actor);
  const affected = await listAffected(actor.db, namesOf(needs, "node"), id, NODES_MAX);
  const entries = await listEntries(actor.db, members, id, ENTRIES_MAX);
  return {
    ...present(row),
    affected: affected.map(({ node_id, since, name }) => {
      const facts = fleet.get(node_id);
      return {
        instance_id: node_id,
        hostname: facts?.hostname ?? name ?? node_id,
        since: toIso(since),
        status: facts ? fleet.verdict(facts.no).status : null,
      };
    }),
    timeline: entries.map(presentEntry),
  };
}

/** Writes down what somebody found out about an incident. Throws `incident_not_found`, `too_many_notes`. */
export function addNote(
  needs: Pick<Needs, "lists" | "clock" | "ids" | "bus">,
  actor: Actor,
  ip: string,
  id: string,
  text: string,
): Promise<IncidentEntry> {
  return actor.db.tx(async (tx) => {
    const row = await findIncident(tx, [], id);
    if (!row) throw fail("incident_not_found", { id });
    if ((await countNotes(tx, id)) >= NOTES_MAX) throw fail("too_many_notes", { limit: NOTES_MAX });
    const entry: EntryRow = {
      ...{ id: needs.ids.next("ent"), at: needs.clock.now(), kind: "noted", nodes: 0 },
      ...{ member_id: actor.member_id, text: text.trim() },
    };
    await insertEntry(tx, actor.tenant_id, id, entry);
    const told = { incident_id: id, title: row.title };
    await needs.bus.emit(tx, "fleet.incident.note", { by: byMember(actor, ip), ...told });
    const [written] = await listEntries(tx, namesOf(needs, "member"), id, 1);
    return presentEntry(written ?? { ...entry, by: null });
  });
}

const isAcknowledged = (name: string, _: PanelEvent): _ is FleetAlertEvents["fleet.alert.acknowledge"] =>
  name === "fleet.alert.acknowledge";

/** Whoever acknowledges alerts has the incident that they are; in the transaction of that. */
export async function hearAcknowledgement(
  needs: Pick<Needs, "clock" | "ids">,
  tx: PanelTx,
  name: string,
  event: PanelEvent,
): Promise<void> {
  if (!isAcknowledged(name, event)) return;
  const { by, rule, region, alerts } = event;
  const at = needs.clock.now();
  const id = await markCauseKnown(tx, { rule, region: region ?? "", member_id: by.member_id, at });
  if (id === null) return;
  await insertEntry(tx, by.tenant_id, id, {
    ...{ id: needs.ids.next("ent"), at, kind: "acknowledged", nodes: alerts },
    ...{ member_id: by.member_id, text: "" },
  });
}
