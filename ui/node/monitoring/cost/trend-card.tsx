import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { TimeChart } from "../../../kit/time-chart.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { money } from "./money.ts";

/** Cost by day. */
export function TrendCard({ period }: { period: "7d" | "30d" }) {
  const trends = useResource("GET /api/cost/trends", { query: { period }, everyMs: 300_000 });
  const change = trends.data.value?.change_percent ?? null;
  const moved = change === null ? "" : `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(0)}% within the period, `;
  return (
    <Card title="By day" aside={`${moved}the last point is today so far`}>
      <div class="card-b">
        <Loaded of={trends} what="Trends" skeleton={<Skeleton rows={4} />}>
          {({ points, currency }) =>
            points.every(({ total }) => total === null) ? (
              <EmptyState title="No day measured yet">
                The first day appears within an hour of the first app.
              </EmptyState>
            ) : (
              <TimeChart
                label="Cost by day"
                times={points.map(({ date }) => Date.parse(date))}
                series={[
                  { label: "All", values: points.map(({ total }) => total), colour: "--c4" },
                  { label: "Processor", values: points.map(({ cpu_cost }) => cpu_cost), colour: "--c1" },
                  { label: "Memory", values: points.map(({ memory_cost }) => memory_cost), colour: "--c3" },
                  { label: "Disk", values: points.map(({ disk_cost }) => disk_cost), colour: "--c2" },
                ]}
                format={(value) => money(value, currency)}
                least={0.01}
                height={170}
              />
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}
