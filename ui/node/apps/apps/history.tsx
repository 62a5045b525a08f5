import type { ReadonlySignal } from "@preact/signals";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { bytesText, megabytes, percent } from "../../../client/format.ts";
import { TimeChart } from "../../../kit/time-chart.tsx";
import { fromFirst, hasValues, lineOf, useAppHistory } from "./app-history.ts";
import type { Point } from "./overview-tab.tsx";

const memory = (bytes: number): string => bytesText(bytes, "memory");
const MIB = 1_048_576;

/** Processor and memory of the last hour as they are on record, with what they are now. */
export function History({ app, points }: { app: AppDetail; points: ReadonlySignal<Point[]> }) {
  const { history } = useAppHistory(app.id, "1h");
  const now = points.value.at(-1)?.stats ?? null;
  const shown = history && fromFirst(history);
  const limit = now?.memory_limit_mb ?? 0;
  const highest = Math.max(0, ...(shown?.memory ?? []).map((value) => value ?? 0)) / MIB;
  // A limit far above what is used would press the line to the floor.
  const isInSight = limit > 0 && limit < highest * 20;
  return (
    <div class="appcharts">
      <HistoryCard
        title="Processor"
        now={now === null ? "–" : percent(now.cpu_percent)}
        unit="of one core"
        times={shown?.times ?? []}
        values={shown?.cpu ?? []}
        colour="--c1"
        format={percent}
        least={10}
      />
      <HistoryCard
        title="Memory"
        now={now === null || now.memory_usage_mb === null ? "–" : megabytes(now.memory_usage_mb)}
        unit={limit > 0 ? `limit ${megabytes(limit)}` : ""}
        times={shown?.times ?? []}
        values={shown?.memory ?? []}
        colour="--c3"
        format={memory}
        binary
        least={16 * MIB}
        {...(isInSight ? { max: limit * MIB } : {})}
      />
    </div>
  );
}

function HistoryCard({
  title,
  now,
  unit,
  times,
  values,
  colour,
  format,
  least,
  binary = false,
  max,
}: {
  title: string;
  now: string;
  unit: string;
  times: number[];
  values: readonly (number | null)[];
  colour: string;
  format: (value: number) => string;
  least: number;
  binary?: boolean;
  max?: number;
}) {
  return (
    <section class="card chartcard" aria-label={title}>
      <header class="charthead">
        <h2>{title}</h2>
        <p class="stat">
          <b>{now}</b>
          <span class="u">{unit}</span>
        </p>
      </header>
      {hasValues(values) ? (
        <TimeChart
          label={`${title}, last hour`}
          series={[lineOf(title, values, colour)]}
          times={times}
          format={format}
          least={least}
          binary={binary}
          sync="app"
          legend={false}
          table={false}
          {...(max === undefined ? {} : { max })}
        />
      ) : (
        <p class="t13 c3 nodata">The first point comes within two minutes of its start.</p>
      )}
    </section>
  );
}
