import UPlot from "uplot";
import { colourOf } from "./draw.ts";
import { gapsOf, isDashed, lonePlaces, seriesColour, type TimeSeries } from "./time-axis.ts";

/** What a chart shows now. Times in epoch ms. */
export interface PlotData {
  times: readonly number[];
  series: readonly TimeSeries[];
  max: number;
  markers: readonly { t: number; label: string }[];
  /** A value worth a line of its own, such as a limit. */
  limit: number | null;
}

interface PlotEvents {
  /** The pointer is over that time, or left. */
  onPoint(at: number | null): void;
  /** A range was drawn with the pointer. */
  onSelect(fromMs: number, toMs: number): void;
}

/** A chart that is drawn. */
export interface TimePlot {
  update(data: PlotData): void;
  /** Puts the crosshair there; null takes it away. */
  point(at: number | null): void;
  destroy(): void;
}

const minDragPx = 6;

/** Draws into `host` as wide as it is; labels and legends are around it, as HTML. */
export function createTimePlot(host: HTMLElement, height: number, events: PlotEvents): TimePlot {
  let shown: PlotData | null = null;
  let plot: UPlot | null = null;
  let drawnShape = "";
  let isPointing = false;
  const colour = (name: string): string => colourOf(host, name);

  const options = (data: PlotData): UPlot.Options => ({
    width: Math.max(1, host.clientWidth),
    height,
    padding: [1, 0, 1, 0],
    legend: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: { x: { time: false, range: () => spanOf(shown) }, y: { range: () => [0, shown?.max ?? 1] } },
    cursor: {
      y: false,
      points: { size: 9, width: 2, fill: (_, index) => colour(colourAt(index)), stroke: () => colour("--s1") },
      drag: { x: true, y: false, setScale: false, dist: minDragPx },
      bind: { dblclick: () => null },
    },
    series: [{}, ...data.series.map((series, index) => lineOf(series, index, data.times.length))],
    hooks: {
      drawClear: [(self) => shown && paintGround(self, shown, colour)],
      draw: [(self) => shown && paintMarks(self, shown, colour)],
      setCursor: [(self) => isPointing && events.onPoint(timeAt(self))],
      setSelect: [select],
    },
  });

  function colourAt(index: number): string {
    const series = shown?.series[index - 1];
    return series === undefined ? "--text" : seriesColour(series, index - 1);
  }

  function lineOf(series: TimeSeries, index: number, points: number): UPlot.Series {
    const stroke = (): string => colour(seriesColour(series, index));
    return {
      label: series.label,
      width: points > 600 ? 1 : 1.5,
      stroke,
      ...(isDashed(series, points) ? { dash: [4, 3] } : {}),
      ...(series.dash === true ? {} : { fill: () => `color-mix(in srgb, ${stroke()} 12%, transparent)` }),
      points: {
        show: true,
        size: 3,
        width: 0,
        fill: stroke,
        filter: (self, at) => lonePlaces([...(self.data[at] ?? [])]),
      },
    };
  }

  function timeAt(self: UPlot): number | null {
    const { left, idx } = self.cursor;
    return left === undefined || left < 0 || idx === null || idx === undefined ? null : (self.data[0][idx] ?? null);
  }

  function select(self: UPlot): void {
    const { left, width } = self.select;
    if (width < minDragPx) return;
    const [from, to] = [self.posToVal(left, "x"), self.posToVal(left + width, "x")];
    self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    events.onSelect(from, to);
  }

  const enter = (): void => {
    isPointing = true;
  };
  const leave = (): void => {
    isPointing = false;
    events.onPoint(null);
  };
  host.addEventListener("pointerenter", enter);
  host.addEventListener("pointerleave", leave);
  const sizes = new ResizeObserver(() => plot?.setSize({ width: Math.max(1, host.clientWidth), height }));
  sizes.observe(host);
  const themes = new MutationObserver(() => plot?.redraw());
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });

  return {
    update(data) {
      shown = data;
      const values: UPlot.AlignedData = [[...data.times], ...data.series.map((series) => [...series.values])];
      const shape = JSON.stringify(
        data.series.map((one) => [one.label, one.dash, isDashed(one, data.times.length), one.colour]),
      );
      if (plot !== null && shape === drawnShape) {
        plot.setData(values);
        return;
      }
      plot?.destroy();
      drawnShape = shape;
      plot = new UPlot(options(data), values, host);
    },
    point(at) {
      if (plot === null || isPointing) return;
      plot.setCursor({ left: at === null ? -10 : plot.valToPos(at, "x"), top: at === null ? -10 : 1 }, false);
    },
    destroy() {
      // What is removed from under the pointer is not left by it, and the crosshair would wait for the next visit.
      if (isPointing) leave();
      host.removeEventListener("pointerenter", enter);
      host.removeEventListener("pointerleave", leave);
      sizes.disconnect();
      themes.disconnect();
      plot?.destroy();
    },
  };
}

/** One time alone has no span, and nothing could be drawn. */
function spanOf(data: PlotData | null): [number, number] {
  const first = data?.times[0] ?? 0;
  const last = data?.times.at(-1) ?? first;
  return last > first ? [first, last] : [first - 1, first + 1];
}

/** Rules and what was not measured, below the lines. */
function paintGround(self: UPlot, data: PlotData, colour: (name: string) => string): void {
  const { ctx: pen, bbox } = self;
  pen.save();
  pen.lineWidth = devicePixelRatio;
  pen.strokeStyle = colour("--hair");
  for (const part of [0, 0.5, 1]) {
    const y = Math.round(bbox.top + part * (bbox.height - 1)) + 0.5;
    line(pen, bbox.left, y, bbox.left + bbox.width, y);
  }
  pen.strokeStyle = colour("--line");
  for (const [from, to] of gapsOf(data.series, data.times.length)) {
    const left = self.valToPos(data.times[from] ?? 0, "x", true);
    hatch(pen, left, bbox.top, self.valToPos(data.times[to] ?? 0, "x", true) - left, bbox.height);
  }
  pen.restore();
}

function hatch(pen: CanvasRenderingContext2D, left: number, top: number, width: number, height: number): void {
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
  for (let x = left - height; x < left + width; x += 6 * devicePixelRatio) line(pen, x, top + height, x + height, top);
  pen.restore();
}

/** Markers and the limit, above the lines. */
function paintMarks(self: UPlot, data: PlotData, colour: (name: string) => string): void {
  const { ctx: pen, bbox } = self;
  pen.save();
  pen.lineWidth = devicePixelRatio;
  pen.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  pen.strokeStyle = colour("--text3");
  for (const { t } of data.markers) {
    const x = Math.round(self.valToPos(t, "x", true)) + 0.5;
    if (x >= bbox.left && x <= bbox.left + bbox.width) line(pen, x, bbox.top, x, bbox.top + bbox.height);
  }
  if (data.limit !== null && data.limit <= data.max) {
    pen.strokeStyle = colour("--warn");
    const y = Math.round(self.valToPos(data.limit, "y", true)) + 0.5;
    line(pen, bbox.left, y, bbox.left + bbox.width, y);
  }
  pen.restore();
}

function line(pen: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}
