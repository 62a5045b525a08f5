import type { DiskForecast, Insights, ResourceForecast } from "../../../../src/node/monitoring/insights/contract.ts";
import { day, percent } from "../../../client/format.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Status } from "../../../kit/status.tsx";
import { TimeChart } from "../../../kit/time-chart.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { NotYet } from "./not-yet.tsx";
import { describe, found, inDays, lacks, metricText, stateOf } from "./words.ts";

/** When disks, memory and processor will be full. */
export function CapacityCard({ insights }: { insights: Insights }) {
  const forecasts = useResource("GET /api/system/metrics/predictions", { everyMs: 300_000 });
  const host = found(insights, "capacity_forecast").filter(({ resource }) => !resource.startsWith("disk:"));
  const waiting = lacks(insights, "capacity_forecast").filter((reason) => /^(ram|cpu): /.test(reason));
  return (
    <Card title="Room left">
      <div class="card-b stack">
        <Loaded of={forecasts} what="Forecasts" skeleton={<Skeleton rows={5} />}>
          {({ disks, resources }) => (
            <>
              {disks.length === 0 && <NotYet reasons={["The disks are measured for the first time within minutes."]} />}
              {disks.map((disk) => (
                <DiskPart key={disk.mount_point} disk={disk} />
              ))}
              <Trends resources={resources} />
            </>
          )}
        </Loaded>
        {host.map((one) => (
          <Status key={one.resource} state={stateOf[one.risk_level]}>
            {describe(one)}
          </Status>
        ))}
        {waiting.length > 0 && (
          <NotYet reasons={waiting.map((reason) => reason.replace("ram:", "Memory:").replace("cpu:", "Processor:"))} />
        )}
      </div>
    </Card>
  );
}

function sentence({ current_percent, days_until_90, reaches_90_at }: DiskForecast): string {
  if (days_until_90 === null || reaches_90_at === null) return "No day in sight on which it is nearly full.";
  if (current_percent >= 90) return "It is nearly full already.";
  return `It reaches 90% ${inDays(days_until_90)}, around ${day(reaches_90_at)}.`;
}

function DiskPart({ disk }: { disk: DiskForecast }) {
  const { mount_point, current_percent, days_until_90, reason } = disk;
  const tone = current_percent >= 90 ? "crit" : days_until_90 !== null && days_until_90 <= 30 ? "warn" : "";
  return (
    <section class="foresee" aria-label={`Disk ${mount_point}`}>
      <p class="row">
        <span class="w5 mono cut">{mount_point}</span>
        <span class="push">{percent(current_percent)}</span>
      </p>
      {reason === null ? (
        <>
          <p class="t13">{sentence(disk)}</p>
          <Curve disk={disk} />
        </>
      ) : (
        <>
          <Meter value={current_percent} label={`${mount_point} in use`} tone={tone} />
          <NotYet reasons={[reason]} />
        </>
      )}
    </section>
  );
}

/** What was measured, then the line and the band that it will lie in. */
function Curve({ disk: { mount_point, points, forecast } }: { disk: DiskForecast }) {
  const past = points.map(({ ts }) => Date.parse(ts));
  const last = past.at(-1) ?? 0;
  const ahead = forecast.filter(({ ts }) => Date.parse(ts) > last);
  const before = points.map(() => null);
  const pad = ahead.map(() => null);
  return (
    <TimeChart
      label={`Use of ${mount_point} and its forecast`}
      times={[...past, ...ahead.map(({ ts }) => Date.parse(ts))]}
      series={[
        { label: "Measured", values: [...points.map(({ value }) => value), ...pad], colour: "--c1" },
        { label: "Forecast", values: [...before, ...ahead.map(({ value }) => value)], dash: true, colour: "--c2" },
        { label: "At least", values: [...before, ...ahead.map(({ low }) => low)], dash: true, colour: "--text3" },
        { label: "At most", values: [...before, ...ahead.map(({ high }) => high)], dash: true, colour: "--text3" },
      ]}
      format={percent}
      max={100}
      limit={{ value: 90, label: "90%" }}
      markers={[{ t: last, label: "now" }]}
      height={150}
    />
  );
}

const titles: Record<ResourceForecast["resource"], string> = {
  cpu: "Processor",
  ram: "Memory",
  disk: "Fullest disk",
  network: "Network",
};

/** Where the last seven days lead, in one line each. */
function Trends({ resources }: { resources: ResourceForecast[] }) {
  const ready = resources.filter(({ status }) => status === "ok");
  if (ready.length === 0) {
    const [first] = resources.flatMap(({ reason, ready_at }) => (reason === null ? [] : [{ reason, ready_at }]));
    return first ? (
      <NotYet
        reasons={[`A week ahead: ${first.reason}${first.ready_at === null ? "" : ` Ready on ${day(first.ready_at)}.`}`]}
      />
    ) : null;
  }
  return (
    <section aria-label="Trends of seven days">
      <p class="label">If the last 7 days go on</p>
      <dl class="dl trends">
        {ready.map(({ resource, unit, current, has_trend, in_7_days }) => {
          const show = (value: number | null): string =>
            value === null ? "–" : metricText(unit === "percent" ? "x_percent" : "net_x", value);
          return (
            <>
              <dt key={resource}>{titles[resource]}</dt>
              <dd key={`${resource} now`}>
                {show(current)} <span class="c3">now, {has_trend ? "" : "no trend, "}</span>
                {show(in_7_days)} <span class="c3">{has_trend ? "in a week" : "on average"}</span>
              </dd>
            </>
          );
        })}
      </dl>
    </section>
  );
}
