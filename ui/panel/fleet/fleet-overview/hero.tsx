import type { Overview } from "../../../../src/panel/fleet/fleet-overview/contract.ts";
import { count } from "../../../client/format.ts";
import { locale } from "../../../kit/locale.ts";
import { Glyph, type State } from "../../../kit/status.tsx";
import { FleetSky } from "./fleet-sky.tsx";
import { deltaText, verdictOf } from "./verdict.ts";

/** The verdict, the counts with what changed since yesterday, and the fleet as a picture. */
export function Hero({ overview }: { overview: Overview }) {
  const {
    totals,
    regions,
    healthy_pct: healthy,
    open_alerts: alerts,
    never_connected: never,
    not_yet_heard: awaited,
  } = overview;
  const tally = {
    total: totals.total.value,
    online: totals.online.value,
    degraded: totals.degraded.value,
    offline: totals.offline.value,
  };
  return (
    <section class="hero fleethero" aria-labelledby="verdict">
      <div class="say">
        <p class="t13 c3">{today()}</p>
        <h1 class="verdict" id="verdict">
          {verdictOf(tally, regions)}
        </h1>
        <p class="lede c2">
          {alerts === 0 ? (
            "No alert is open."
          ) : (
            <a class="link" href="/alerts">
              {count(alerts, "alert is", "alerts are")} open.
            </a>
          )}
        </p>
        <dl class="deltas">
          <Counted title="Nodes" href="/fleet" {...totals.total} />
          <Counted title="Online" state="ok" href="/fleet?status=online" {...totals.online} />
          <Counted title="Degraded" state="warn" href="/fleet?status=degraded" {...totals.degraded} />
          <Counted title="Offline" state="crit" href="/fleet?status=offline" {...totals.offline} />
        </dl>
        {awaited > 0 && (
          <p class="t13 c3">
            The panel has just started:{" "}
            <a class="link" href="/fleet?status=pending">
              {count(awaited, "node was", "nodes were")} not heard yet
            </a>
            .
          </p>
        )}
        {never > 0 && (
          <p class="t13 c3">
            Of those offline,{" "}
            <a class="link" href="/fleet?status=pending">
              {count(never, "has", "have")} never connected
            </a>
            .
          </p>
        )}
        <p class="t13 c3">
          {totals.total.delta === null ? "The change since yesterday is not known yet." : "Changes since yesterday"}
        </p>
      </div>
      <FleetSky regions={regions} healthy={healthy} />
    </section>
  );
}

interface CountedProps {
  title: string;
  state?: State;
  href: string;
  value: number;
  delta: number | null;
}

function Counted({ title, state, href, value, delta }: CountedProps) {
  const change = deltaText(delta);
  return (
    <div>
      <dt>
        {state !== undefined && <Glyph state={state} />}
        <a href={href}>{title}</a>
      </dt>
      <dd>
        <b>{value.toLocaleString("en")}</b>
        {change !== null && <span>{change}</span>}
      </dd>
    </div>
  );
}

function today(): string {
  return new Date().toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "long" });
}
