import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ThreadMetrics } from "../../../../src/node/monitoring/metrics/contract.ts";
import { percent } from "../../../client/format.ts";
import { Skeleton } from "../../../kit/card.tsx";
import { cancelPaint, colourOf, requestPaint } from "../../../kit/draw.ts";
import { fullLabel, nearestPlace } from "../../../kit/time-axis.ts";
import { crosshair, handleChartKey, TimeTable } from "../../../kit/time-chart.tsx";
import { useResource } from "../../client/resource.ts";
import { sheet } from "./lane.tsx";
import { newestPlace, rowHeight, threadsAt, toneOf, tones } from "./thread-cells.ts";
import { loadQuery, pointOf, type View } from "./view.ts";

/** How busy each thread of the processor was: a row for each, a colour for each share, and the same as a table. */
export function ThreadsLane({
  view,
  shown,
  onZoom,
  onReset,
}: {
  view: View;
  shown: number[];
  onZoom: (fromMs: number, toMs: number) => void;
  onReset: () => void;
}) {
  const threads = useResource("GET /api/system/metrics/threads", { query: spanOf(view), everyMs: 60_000 });
  const data = threads.data.value;
  if (data === null && threads.problem.value === null) {
    return (
      <section class="lane" aria-label="Threads">
        <div class="lab">
          <h2>Threads</h2>
        </div>
        <div class="fig">
          <Skeleton height={120} />
        </div>
      </section>
    );
  }
  return (
    <section class="lane" aria-label="Threads">
      {data === null || data.threads.length === 0 ? (
        <>
          <div class="lab">
            <h2>Threads</h2>
          </div>
          <div class="fig">
            <p class="t13 c3 nothing">
              {data === null
                ? "The threads did not load. They are asked for again every minute."
                : "Nothing was measured in this time."}
            </p>
          </div>
        </>
      ) : (
        <HeatMap data={data} shown={shown} onZoom={onZoom} onReset={onReset} />
      )}
    </section>
  );
}

/** A shown part is asked for by its ends, so that its columns are as fine as they can be; one point more to both sides fills the edges. */
function spanOf(view: View) {
  if (view.zoom === null) return loadQuery(view);
  const more = pointOf(view);
  return {
    from: new Date(view.zoom.from - more).toISOString(),
    to: new Date(view.zoom.to + more).toISOString(),
  };
}

function HeatMap({
  data,
  shown,
  onZoom,
  onReset,
}: {
  data: ThreadMetrics;
  shown: number[];
  onZoom: (fromMs: number, toMs: number) => void;
  onReset: () => void;
}) {
  const times = data.ts.map((ts) => Date.parse(ts));
  const [first = times[0] ?? 0, last = times.at(-1) ?? 0] = [shown[0], shown.at(-1)];
  const span = Math.max(1, last - first);
  const at = crosshair(sheet);
  // A line has the point of a time at its start. Columns stand around it, so that the newest one has room too.
  const shift = ((shown[1] ?? first) - first) / 2;
  const place = useComputed(() =>
    at.value === null
      ? newestPlace(data.threads, times.length)
      : nearestPlace(times, at.value + shift - data.bucket_seconds * 500),
  );
  const told = useComputed(() => threadsAt(data.threads, place.value));
  const spoken = useComputed(() => {
    const time = at.value ?? times[place.value];
    const now = told.value;
    if (time === undefined || now === null) return "no data";
    return `${fullLabel(time, span)}: busiest thread ${now.busiest} at ${percent(now.percent)}, all together ${percent(now.mean)}`;
  });
  const nearest = useComputed(() => Math.max(0, at.value === null ? shown.length - 1 : nearestPlace(shown, at.value)));
  const share = useComputed(() => (at.value === null ? null : (at.value - first) / span));
  const canvas = useCells(data, times, first + shift, span);
  const height = rowHeight(data.threads.length) * data.threads.length;
  const point = (event: PointerEvent): void => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    const wanted = first + ((event.clientX - box.left) / box.width) * span;
    at.value = shown[nearestPlace(shown, wanted)] ?? null;
  };
  return (
    <>
      <div class="lab">
        <h2>Threads</h2>
        <p class="kvs" aria-hidden="true">
          <span class="kv">
            Busiest{told.value === null ? "" : `, T${told.value.busiest}`}
            <b>{told.value === null ? "–" : percent(told.value.percent)}</b>
          </span>
        </p>
        <p class="threadramp t12 c3" aria-hidden="true">
          0%
          <span>
            {Array.from({ length: tones }, (_, tone) => (
              <i key={tone} style={{ "--k": `var(--heat${tone + 1})` }} />
            ))}
          </span>
          100%
        </p>
      </div>
      <div class="fig">
        <div class="tchart">
          <div class="chart" style={{ "--ch": `${height}px` }}>
            <div class="ys" aria-hidden="true">
              <span>T0</span>
              {data.threads.length > 1 && <span>T{data.threads.length - 1}</span>}
            </div>
            <div
              class="plot threadmap"
              role="slider"
              tabIndex={0}
              aria-label="Threads"
              aria-valuemin={0}
              aria-valuemax={Math.max(0, shown.length - 1)}
              aria-valuenow={nearest.value}
              aria-valuetext={spoken.value}
              onKeyDown={(event) => handleChartKey(event, { times: shown, onZoom, onReset }, at)}
              onBlur={() => (at.value = null)}
              onPointerMove={point}
              onPointerLeave={() => (at.value = null)}
            >
              <canvas ref={canvas} />
              {share.value !== null && <span class="threadline" style={{ "--x": `${share.value * 100}%` }} />}
            </div>
          </div>
          <TimeTable
            label="Threads"
            times={times}
            series={data.threads.map((values, thread) => ({ label: `T${thread}`, values }))}
            format={percent}
          />
        </div>
      </div>
    </>
  );
}

/** The cells on a canvas, painted anew when the data, the width or the theme changes. */
function useCells(data: ThreadMetrics, times: number[], first: number, span: number) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const paint = (): void => paintCells(element, data, times, first, span);
    const ask = (): void => requestPaint(paint);
    const sizes = new ResizeObserver(ask);
    sizes.observe(element);
    const themes = new MutationObserver(ask);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    ask();
    return () => {
      cancelPaint(paint);
      sizes.disconnect();
      themes.disconnect();
    };
  }, [data, first, span]);
  return canvas;
}

function paintCells(
  canvas: HTMLCanvasElement,
  data: ThreadMetrics,
  times: number[],
  first: number,
  span: number,
): void {
  const ratio = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  const pen = canvas.getContext("2d");
  if (pen === null || width === 0) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const row = height / data.threads.length;
  const step = ((data.bucket_seconds * 1000) / span) * width;
  const [gapX, gapY] = [step > 4 ? 1 : 0, row > 4 ? 1 : 0];
  const colours = Array.from({ length: tones + 1 }, (_, tone) => colourOf(canvas, `--heat${tone}`));
  for (const [thread, values] of data.threads.entries()) {
    for (const [place, value] of values.entries()) {
      if (value === null) continue;
      const left = (((times[place] ?? 0) - first) / span) * width;
      pen.fillStyle = colours[toneOf(value)] ?? "";
      pen.fillRect(left, thread * row, Math.max(1, step - gapX), Math.max(1, row - gapY));
    }
  }
}
