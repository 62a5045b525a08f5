import { toIso } from "../../../lib/clock.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import { createPace, type Pace } from "../../../lib/pace.ts";
import type { Actor } from "../../actor.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import { byMember } from "../../event-meaning.ts";
import { alertsOf, type OpenAlert, presentAlert, severityOf } from "../fleet/index.ts";
import {
  ACKNOWLEDGED_MAX,
  type AcknowledgeInput,
  type AlertGroup,
  type AlertGroups,
  type AlertsAcknowledged,
  fail,
  type GroupedAlert,
  NAMED_MAX,
} from "./contract.ts";
import { type Cause, groupAlerts, idOf, type JudgedAlert } from "./group.ts";
import type { Needs } from "./needs.ts";
import {
  type AcknowledgementRow,
  deleteAcknowledgement,
  insertAcknowledgement,
  listAcknowledgements,
} from "./store.ts";

type Scope = Pick<AcknowledgementRow, "rule" | "region" | "node_id" | "from_at" | "to_at">;

/** Whether an acknowledgement is about an alert. */
const covers = (scope: Scope, { facts, reason, at }: OpenAlert): boolean =>
  scope.rule === reason &&
  scope.region === (facts.region ?? "") &&
  (scope.node_id === "" || scope.node_id === facts.id) &&
  at >= scope.from_at &&
  at <= scope.to_at;

/** How many acknowledgements are compared with an alert in the time that an alert takes. */
const COMPARED = 20;

type Known = Awaited<ReturnType<typeof listAcknowledgements>>[number];

/**
 * Everything that is wrong now, in no order, with who knows of it, and the acknowledgements that stand for none of it. Of a large fleet
 * with others going between its parts, by `pace`.
 */
async function judgeAlerts(
  { lists, live, takeTurn }: Pick<Needs, "lists" | "live" | "takeTurn">,
  actor: Actor,
): Promise<{ fleet: TenantFleet; alerts: JudgedAlert[]; idle: ReadonlySet<string>; pace: Pace }> {
  const pace = createPace(() => giveWay(takeTurn, [actor.tenant_id, actor.account_id]));
  const members = lists.names.all().filter(({ kind }) => kind === "member");
  const rows = await listAcknowledgements(actor.db, members, ACKNOWLEDGED_MAX);
  const byPlace = Map.groupBy(rows, ({ rule, region, node_id }) => JSON.stringify([rule, region, node_id]));
  const idle = new Set(rows.map(({ id }) => id));
  const fleet = live.fleetOf(actor);
  const alerts: JudgedAlert[] = [];
  for (const facts of fleet.nodes()) {
    let work = 1;
    for (const alert of alertsOf(fleet, facts)) {
      const near = [facts.id, ""].flatMap(
        (node) => byPlace.get(JSON.stringify([alert.reason, facts.region ?? "", node])) ?? [],
      );
      const known = near.filter((one) => covers(one, alert));
      for (const { id } of known) idle.delete(id);
      const row = known.reduce<Known | null>((newest, one) => (newest && newest.at >= one.at ? newest : one), null);
      alerts.push({ ...alert, known: row ? { at: row.at, by: row.member } : null });
      work += 1 + near.length / COMPARED;
    }
    const turn = pace(work);
    if (turn) await turn;
  }
  return { fleet, alerts, idle, pace };
}

function presentOne(fleet: TenantFleet, alert: JudgedAlert): GroupedAlert {
  const { id, instance_id, hostname, title, at } = presentAlert(fleet, alert);
  const { known } = alert;
  return { id, instance_id, hostname, title, at, acknowledged: known && { at: toIso(known.at), by: known.by } };
}

function presentCause(fleet: TenantFleet, cause: Cause): AlertGroup {
  const { rule, region, alerts, unknown, since, latest } = cause;
  const isNews = ({ known }: JudgedAlert): boolean => known === null;
  const news = firstOf(alerts, isNews);
  const named = [...news, ...firstOf(alerts, (alert) => !isNews(alert))].slice(0, NAMED_MAX);
  return {
    id: idOf(cause),
    severity: severityOf(rule),
    kind: rule === "heartbeat_missing" || rule === "never_connected" ? "node.offline" : "node.degraded",
    rule,
    region: region || null,
    count: alerts.length,
    acknowledged: alerts.length - unknown,
    since: toIso(since),
    latest: toIso(latest),
    alerts: named.map((alert) => presentOne(fleet, alert)),
  };
}

/** The first alerts of a kind, no more than are named. */
function firstOf(alerts: readonly JudgedAlert[], isMeant: (alert: JudgedAlert) => boolean): JudgedAlert[] {
  const found: JudgedAlert[] = [];
  for (const alert of alerts) {
    if (found.length === NAMED_MAX) break;
    if (isMeant(alert)) found.push(alert);
  }
  return found;
}

/** What is wrong with the fleet now, grouped by what seems to have caused it. */
export async function listAlertGroups(
  needs: Pick<Needs, "lists" | "live" | "takeTurn">,
  actor: Actor,
  limit: number,
): Promise<AlertGroups> {
  const { fleet, alerts, pace } = await judgeAlerts(needs, actor);
  const causes = await groupAlerts(alerts, pace);
  const open = { critical: 0, warning: 0, info: 0 };
  for (const { rule, unknown } of causes) open[severityOf(rule)] += unknown;
  return {
    groups: causes.slice(0, limit).map((cause) => presentCause(fleet, cause)),
    total: causes.length,
    alerts: alerts.length,
    acknowledged: causes.reduce((sum, cause) => sum + cause.alerts.length - cause.unknown, 0),
    open,
  };
}

/**
 * Says that somebody knows of alerts, on the record; those that nobody knew of are counted. Acknowledgements that stand for nothing any
 * more go meanwhile. Throws `alert_not_open`, `too_many_acknowledged`.
 */
export async function acknowledgeAlerts(
  deps: Pick<Needs, "lists" | "live" | "takeTurn" | "bus" | "clock" | "ids">,
  actor: Actor,
  ip: string,
  input: AcknowledgeInput,
): Promise<AlertsAcknowledged> {
  const { alerts, idle } = await judgeAlerts(deps, actor);
  const { rule, region, instance_id = "" } = input;
  const [from_at, to_at] = [Date.parse(input.since), Date.parse(input.latest)];
  const asked: Scope = { rule, region: region ?? "", node_id: instance_id, from_at, to_at };
  const meant = alerts.filter((alert) => covers(asked, alert));
  // What begins later is news to everybody, whatever was asked for.
  const scope = { ...asked, to_at: meant.reduce((latest, { at }) => Math.max(latest, at), from_at) };
  const fresh = meant.filter(({ known }) => known === null);
  const first = fresh.reduce<JudgedAlert | null>(
    (newest, alert) => (newest && newest.at >= alert.at ? newest : alert),
    null,
  );
  if (meant.length === 0) throw fail("alert_not_open");
  if (!first) return { acknowledged: 0 };
  return actor.db.tx(async (tx) => {
    const rows = await listAcknowledgements(tx, [], ACKNOWLEDGED_MAX);
    const over = rows.filter(({ id }) => idle.has(id));
    if (rows.length - over.length >= ACKNOWLEDGED_MAX) throw fail("too_many_acknowledged", { limit: ACKNOWLEDGED_MAX });
    for (const { id } of over) await deleteAcknowledgement(tx, id);
    const row = { ...scope, id: deps.ids.next("ack"), member_id: actor.member_id, at: deps.clock.now() };
    await insertAcknowledgement(tx, row);
    await deps.bus.emit(tx, "fleet.alert.acknowledge", {
      by: byMember(actor, ip),
      node_id: first.facts.id,
      rule,
      region,
      alerts: fresh.length,
    });
    return { acknowledged: fresh.length };
  });
}
