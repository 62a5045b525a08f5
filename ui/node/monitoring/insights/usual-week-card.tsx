import type { Baseline } from "../../../../src/node/monitoring/baselines/contract.ts";
import { day } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Status } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { localWeek, type Place } from "./local-week.ts";
import { NotYet } from "./not-yet.tsx";
import { metricNames, metricText, metricTitle } from "./words.ts";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** What each hour of the week usually looks like, as a picture of seven by twenty-four. */
export function UsualWeekCard() {
  const metric = metricNames.find((name) => name === query.value.get("metric")) ?? "cpu_percent";
  const baseline = useResource("GET /api/alerting/baselines", { query: { metric }, everyMs: 300_000 });
  const choose = (
    <Select
      size="sm"
      label="Figure"
      value={metric}
      options={metricNames.map((value) => ({ value, label: metricTitle(value) }))}
      onValue={(value) => setQuery({ metric: value === "cpu_percent" ? null : value })}
    />
  );
  return (
    <Card title="A usual week" actions={choose}>
      <div class="card-b stack">
        <Loaded of={baseline} what="Baseline" skeleton={<Skeleton rows={5} />}>
          {(data) => <Week data={data} />}
        </Loaded>
      </div>
    </Card>
  );
}

function Week({ data }: { data: Baseline }) {
  const { metric, slots, current, reason, ready_at } = data;
  const highest = Math.max(0, ...slots.map(({ mean }) => mean ?? 0));
  const places = localWeek(slots, new Date());
  const rows = weekdays.map((name, index) => ({ name, hours: places.slice(index * 24, index * 24 + 24) }));
  return (
    <>
      {current !== null && <Now metric={metric} current={current} />}
      {reason !== null && (
        <NotYet
          reasons={[ready_at === null ? reason : `${reason.replace(/ Ready in .*/, "")} Ready on ${day(ready_at)}.`]}
        />
      )}
      {highest > 0 || current !== null ? (
        <>
          <table class="week" aria-label={`Usual ${metricTitle(metric)} by weekday and hour`}>
            <tbody>
              {rows.map(({ name, hours }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {hours.map((place, hour) => (
                    <HourCell key={hour} place={place} metric={metric} highest={highest} when={`${name} ${hour}:00`} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p class="row t12 c3 weeklegend" aria-hidden="true">
            <span>0:00</span>
            <span>6:00</span>
            <span>12:00</span>
            <span>18:00</span>
            <span class="push">
              0 <i /> {metricText(metric, highest)}
            </span>
          </p>
        </>
      ) : null}
    </>
  );
}

function HourCell(props: { place: Place | null; metric: string; highest: number; when: string }) {
  const { place, metric, highest, when } = props;
  const mean = place?.mean ?? null;
  const said = mean === null ? "not known yet" : metricText(metric, mean);
  return (
    <td
      class={mean === null ? "none" : ""}
      style={{ "--v": mean === null || highest === 0 ? "0%" : `${Math.round((mean / highest) * 100)}%` }}
      data-tip={`${when}: ${said}`}
    >
      <span class="sr">{said}</span>
    </td>
  );
}

function Now({ metric, current }: { metric: string; current: NonNullable<Baseline["current"]> }) {
  const { value, baseline_mean, z_score, severity } = current;
  const word = severity === "normal" ? "as usual" : z_score > 0 ? "higher than usual" : "lower than usual";
  const state = severity === "normal" ? "ok" : severity === "warning" ? "info" : "warn";
  return (
    <Status state={state}>
      {metricText(metric, value)} in the last hour, {word} ({metricText(metric, baseline_mean)}).
    </Status>
  );
}
