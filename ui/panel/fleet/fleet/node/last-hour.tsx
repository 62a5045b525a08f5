import type { Instance, LastHour, Point } from "../../../../../src/panel/fleet/fleet/contract.ts";
import { bitrate, percent, text } from "../../../../client/format.ts";
import { Glyph } from "../../../../kit/status.tsx";
import { TimeChart } from "../../../../kit/time-chart.tsx";
import { linesOf } from "../series.ts";

const minuteMs = 60_000;
const limit = { value: 90, label: "90%" };
const traffic = (bytes: number): string => text(bitrate(bytes));

/** The last hour of the four figures, minute by minute. */
export function LastHourCards({
  metrics,
  instance,
  age,
}: {
  metrics: LastHour;
  instance: Instance;
  /** How old the newest figures are when the node is silent. */
  age: string | null;
}) {
  const shown = { age };
  const newest = (value: number | null, points: readonly Point[]): number | null => value ?? points.at(-1)?.v ?? null;
  return (
    <section class="quad" aria-label="The last hour">
      <Tile {...shown} title="Processor" points={metrics.cpu} now={newest(instance.cpu_percent, metrics.cpu)} />
      <Tile
        {...shown}
        title="Memory"
        points={metrics.mem}
        now={newest(instance.memory_percent, metrics.mem)}
        colour="--c3"
      />
      <Tile
        {...shown}
        title="Disk"
        points={metrics.disk}
        now={newest(instance.disk_percent, metrics.disk)}
        colour="--c2"
      />
      <Tile
        {...shown}
        title="Network in"
        points={metrics.net_in}
        now={metrics.net_in.at(-1)?.v ?? null}
        colour="--c4"
        isTraffic
      />
    </section>
  );
}

interface TileProps {
  title: string;
  points: readonly Point[];
  now: number | null;
  colour?: string;
  isTraffic?: boolean;
  age: string | null;
}

function Tile({ title, points, now, colour = "--c1", isTraffic = false, age }: TileProps) {
  const format = isTraffic ? traffic : percent;
  const isHigh = !isTraffic && age === null && now !== null && now >= limit.value;
  const { times, values } = linesOf([points.map(({ t, v }) => [Date.parse(t), v] as const)], minuteMs);
  const scale = isTraffic ? { least: 12_500 } : { max: 100, ...(isHigh ? { limit } : {}) };
  return (
    <section
      class={`card quadcard ${isTraffic ? "traffic" : ""} ${age === null ? "" : "past"}`}
      aria-label={`${title}, the last hour`}
    >
      <header class="row charthead">
        {isHigh && <Glyph state="warn" />}
        <h2>{title}</h2>
        <b class={`push ${isHigh ? "warn" : ""}`}>{now === null ? "–" : format(now)}</b>
      </header>
      {age !== null && now !== null && <p class="t12 c3 figureage">{age} ago</p>}
      {times.length < 2 ? (
        <p class="t13 c3 nopoints">
          {times.length === 0 ? "Nothing was reported in the last hour." : "The line begins with the second minute."}
        </p>
      ) : (
        <TimeChart
          label={`${title}, the last hour`}
          times={times}
          series={[{ label: title, values: values[0] ?? [], colour }]}
          format={format}
          height={84}
          legend={false}
          table={false}
          sync="hour"
          {...scale}
        />
      )}
    </section>
  );
}
