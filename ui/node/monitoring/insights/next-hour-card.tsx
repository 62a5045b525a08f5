import type { MetricPrediction } from "../../../../src/node/monitoring/baselines/contract.ts";
import { clock } from "../../../client/format.ts";
import { query } from "../../../client/router.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { TimeChart } from "../../../kit/time-chart.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { Planned } from "../../platform/plans/gated.tsx";
import { NotYet } from "./not-yet.tsx";
import { metricNames, metricText, metricTitle } from "./words.ts";

type Ready = Extract<MetricPrediction, { status: "ok" }>;

const offer = {
  title: "See the hour before it comes",
  gives: [
    "Where processor, memory, disks and network will be in an hour",
    "How wrong such predictions were lately, beside each of them",
    "A line from the last 24 hours into the next one",
  ],
  instead: {
    text: "Forecasts of disks, health of apps and what is out of the usual are part of every plan.",
    href: "/",
    label: "What happens now",
  },
};

/** Where the chosen figure will be in an hour; from the pro plan on. */
export function NextHourCard() {
  const metric = metricNames.find((name) => name === query.value.get("metric")) ?? "cpu_percent";
  return (
    <Card title="The next hour" aside={metricTitle(metric)}>
      <div class="card-b stack">
        <Planned feature="predictive_alerting" offer={offer} skeleton={<Skeleton rows={4} />}>
          <Prediction metric={metric} />
        </Planned>
      </div>
    </Card>
  );
}

function Prediction({ metric }: { metric: MetricPrediction["metric"] }) {
  const prediction = useResource("GET /api/alerting/predictions", { query: { metric }, everyMs: 300_000 });
  return (
    <Loaded of={prediction} what="The next hour" skeleton={<Skeleton rows={4} />}>
      {(data) =>
        data.status === "ok" ? (
          <Ahead data={data} />
        ) : (
          <NotYet
            reasons={[
              data.ready_at === null ? data.reason : `${data.reason} Ready at ${clock(Date.parse(data.ready_at))}.`,
            ]}
          />
        )
      }
    </Loaded>
  );
}

function Ahead({ data }: { data: Ready }) {
  const { metric, points, predicted, predicted_at, low, high, current, backtest, generated_at } = data;
  const show = (value: number): string => metricText(metric, value);
  const times = points.map(({ ts }) => Date.parse(ts));
  const gap = points.map((_, index): number | null => (index === points.length - 1 ? current : null));
  return (
    <>
      <p>
        About <b>{show(predicted)}</b> at {clock(Date.parse(predicted_at))}, {show(low)} to {show(high)}.{" "}
        <span class="c3">
          {backtest.has_skill
            ? `Such predictions were ${show(backtest.mean_absolute_error)} off in the last hours.`
            : `Take it with care: in the last hours it was ${show(backtest.mean_absolute_error)} off, and “nothing changes” only ${show(backtest.unchanged_error)}.`}
        </span>
      </p>
      <TimeChart
        label={`${metricTitle(metric)} in the last 24 hours and the next one`}
        times={[...times, Date.parse(predicted_at)]}
        series={[
          { label: "Measured", values: [...points.map(({ value }) => value), null], colour: "--c1" },
          { label: "Predicted", values: [...gap, predicted], dash: true, colour: "--c2" },
        ]}
        format={show}
        markers={[{ t: Date.parse(generated_at), label: "now" }]}
        height={150}
      />
    </>
  );
}
