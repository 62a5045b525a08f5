import type { Instance, LastHour, Point } from "../../../../../src/panel/fleet/fleet/contract.ts";
import { bitrate, percent, text } from "../../../../client/format.ts";
import { Glyph } from "../../../../kit/status.tsx";
import { TimeChart } from "../../../../kit/time-chart.tsx";
import { figureOf } from "../columns.ts";
import { linesOf } from "../series.ts";

const minuteMs = 60_000;
const limit = { value: 90, label: "90%" };
const traffic = (bytes: number): string => text(bitrate(bytes));

/** The last hour of the four figures, minute by minute. */
export function LastHourCards({ metrics, instance }: { metrics: LastHour; instance: Instance }) {
  const shown = { isUp: instance.health !== "offline" };
  return (
    <section class="quad" aria-label="The last hour">
      <Tile {...shown} title="Processor" points={metrics.cpu} now={figureOf(instance.cpu_percent, instance)} />
      <Tile
        {...shown}
        title="Memory"
        points={metrics.mem}
        now={figureOf(instance.memory_percent, instance)}
        colour="--c3"
      />
      <Tile
        {...shown}
        title="Disk"
        points={metrics.disk}
        now={figureOf(instance.disk_percent, instance)}
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
  isUp: boolean;
}

function Tile({ title, points, now, colour = "--c1", isTraffic = false, isUp }: TileProps) {
  const format = isTraffic ? traffic : percent;
  const isHigh = !isTraffic && now !== null && now >= limit.value;
  const { times, values } = linesOf([points.map(({ t, v }) => [Date.parse(t), v] as const)], minuteMs);
  const scale = isTraffic ? { least: 12_500 } : { max: 100, ...(isHigh ? { limit } : {}) };
  return (
    <section class={`card quadcard ${isTraffic ? "traffic" : ""}`} aria-label={`${title}, the last hour`}>
      <header class="row charthead">
        {isHigh && <Glyph state="warn" />}
        <h2>{title}</h2>
        <b class={`push ${isHigh ? "warn" : ""}`}>{now === null || !isUp ? "–" : format(now)}</b>
      </header>
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
