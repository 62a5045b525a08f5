import { minutes } from "../../../lib/duration.ts";
import { type Pace, sortAtPace } from "../../../lib/pace.ts";
import { type OpenAlert, severityOf } from "../fleet/index.ts";

/** Troubles that begin farther apart than this have nothing to do with each other. */
const GAP_MS = minutes(10);
const SEVERITIES = ["critical", "warning", "info"] as const;

/** What is known of an alert besides itself. */
export interface Known {
  at: number;
  by: string | null;
}

/** An open alert, and who knows of it; null for nobody. */
export interface JudgedAlert extends OpenAlert {
  known: Known | null;
}

/** Alerts that seem to have one cause, in the order in which they began. */
export interface Cause {
  rule: OpenAlert["reason"];
  /** Empty for nodes without one. */
  region: string;
  alerts: readonly JudgedAlert[];
  /** How many nobody knows of. */
  unknown: number;
  since: number;
  latest: number;
}

/** The place of a severity, the worst first. */
const rankOf = (rule: OpenAlert["reason"]): number => SEVERITIES.indexOf(severityOf(rule));

/**
 * Groups alerts by cause: the same rule in the same region, begun one after another with no long pause between. The worst first; then what
 * nobody knows of; then what began last. Hundreds of thousands of alerts are grouped at `pace`.
 */
export async function groupAlerts(alerts: readonly JudgedAlert[], pace: Pace): Promise<Cause[]> {
  const kinds = new Map<string, JudgedAlert[]>();
  for (const alert of alerts) {
    const kind = JSON.stringify([alert.reason, alert.facts.region ?? ""]);
    const others = kinds.get(kind);
    if (others) others.push(alert);
    else kinds.set(kind, [alert]);
    const turn = pace();
    if (turn) await turn;
  }
  const causes: Cause[] = [];
  for (const unordered of kinds.values()) {
    const kind = await sortAtPace(unordered, (a, b) => a.at - b.at || (a.facts.id < b.facts.id ? -1 : 1), pace);
    let start = 0;
    for (let end = 1; end <= kind.length; end++) {
      const [before, next] = [kind[end - 1], kind[end]];
      if (before && next && next.at - before.at <= GAP_MS) continue;
      causes.push(causeOf(kind.slice(start, end)));
      start = end;
    }
  }
  return causes.sort(
    (a, b) =>
      rankOf(a.rule) - rankOf(b.rule) ||
      Number(b.unknown > 0) - Number(a.unknown > 0) ||
      b.since - a.since ||
      (idOf(a) < idOf(b) ? -1 : 1),
  );
}

function causeOf(alerts: readonly JudgedAlert[]): Cause {
  const [first] = alerts;
  if (!first) throw new Error("a cause has alerts");
  return {
    rule: first.reason,
    region: first.facts.region ?? "",
    alerts,
    unknown: alerts.filter(({ known }) => known === null).length,
    since: first.at,
    latest: alerts.at(-1)?.at ?? first.at,
  };
}

/** The same as long as the cause has the same first node. */
export const idOf = ({ rule, region, alerts }: Cause): string => `${rule}:${region}:${alerts[0]?.facts.id ?? ""}`;
