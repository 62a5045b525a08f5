import type { Anomaly } from "../../../../src/node/monitoring/baselines/contract.ts";
import type { Insights } from "../../../../src/node/monitoring/insights/contract.ts";
import { ago, duration, moment } from "../../../client/format.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { NotYet } from "./not-yet.tsx";
import { found, lacks, metricText, metricTitle } from "./words.ts";

/** What was not as usual lately. */
export function AnomaliesCard({ insights }: { insights: Insights }) {
  const recent = useResource("GET /api/alerting/anomalies", { query: { limit: 6 }, everyMs: 60_000 });
  const waiting = lacks(insights, "resource_anomaly");
  const watched = found(insights, "resource_anomaly").length;
  return (
    <Card title="Out of the usual">
      <Loaded of={recent} what="Anomalies" skeleton={<Skeleton rows={3} />}>
        {(list) =>
          list.length === 0 ? (
            <div class="card-b">
              {waiting.length > 0 ? (
                <NotYet reasons={waiting} />
              ) : (
                <p class="row t13">
                  <Glyph state="ok" />
                  <span>Nothing lately. {watched} figures of this server are compared with what they usually are.</span>
                </p>
              )}
            </div>
          ) : (
            <ul class="rows">
              {list.map((one) => (
                <AnomalyItem key={one.id} one={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function AnomalyItem({ one }: { one: Anomaly }) {
  const { metric, value, baseline_mean, detected_at, ended_at } = one;
  const lasted = ended_at === null ? null : (Date.parse(ended_at) - Date.parse(detected_at)) / 1000;
  return (
    <li class="item">
      <Glyph state={ended_at === null ? "crit" : "off"} />
      <span class="body">
        <span class="title">
          {metricTitle(metric)}: {metricText(metric, value)}
        </span>
        <span class="sub block" data-tip={moment(detected_at)}>
          usually {metricText(metric, baseline_mean)}, {ago(detected_at)}
          {lasted === null ? ", still so" : `, for ${duration(lasted)}`}
        </span>
      </span>
    </li>
  );
}
