const dirty = new Set<() => void>();
let frame = 0;

/** Runs `paint` in the next animation frame, once, however often it is asked for; a hidden tab paints nothing. */
export function requestPaint(paint: () => void): void {
  dirty.add(paint);
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    const now = [...dirty];
    dirty.clear();
    for (const job of now) job();
  });
}

/** Drops a paint that was asked for and not done yet. */
export function cancelPaint(paint: () => void): void {
  dirty.delete(paint);
}

/** One line of a chart; null is a gap. */
export interface Series {
  values: (number | null)[];
  /** Custom property of the colour, e.g. "--c1". */
  colour: string;
  fill?: boolean;
  dashed?: boolean;
}

export interface Plot {
  series: Series[];
  /** Top of the value axis. */
  max: number;
  /** Number of places along the time axis; newest value is at the right edge. */
  length: number;
  /** Horizontal rules, as parts of the height. */
  rules?: number[];
}

/** Paints a plot on a canvas in device pixels. */
export function paintPlot(canvas: HTMLCanvasElement, plot: Plot): void {
  const ratio = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  if (pen === null || width === 0) return;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.lineWidth = 1;
  pen.strokeStyle = colourOf(canvas, "--hair");
  for (const rule of plot.rules ?? []) {
    const y = Math.round(rule * (height - 1)) + 0.5;
    pen.beginPath();
    pen.moveTo(0, y);
    pen.lineTo(width, y);
    pen.stroke();
  }
  for (const series of plot.series) paintSeries(pen, series, plot, width, height, colourOf(canvas, series.colour));
}

function paintSeries(
  pen: CanvasRenderingContext2D,
  series: Series,
  plot: Plot,
  width: number,
  height: number,
  colour: string,
): void {
  const stepX = width / Math.max(1, plot.length - 1);
  const first = plot.length - series.values.length;
  const y = (value: number): number => height - 1 - Math.min(1, Math.max(0, value / plot.max)) * (height - 3);
  let run: [x: number, y: number][] = [];
  const flush = (): void => {
    if (run.length > 0) paintRun(pen, run, height, colour, series);
    run = [];
  };
  for (const [index, value] of series.values.entries()) {
    if (value === null) flush();
    else run.push([(first + index) * stepX, y(value)]);
  }
  flush();
}

function paintRun(
  pen: CanvasRenderingContext2D,
  run: [x: number, y: number][],
  height: number,
  colour: string,
  series: Series,
): void {
  const start = run[0];
  const end = run.at(-1);
  if (start === undefined || end === undefined) return;
  pen.beginPath();
  pen.moveTo(start[0], start[1]);
  for (const [x, y] of run) pen.lineTo(x, y);
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.lineJoin = "round";
  pen.setLineDash(series.dashed === true ? [4, 3] : []);
  pen.stroke();
  pen.setLineDash([]);
  if (series.fill !== true) return;
  pen.lineTo(end[0], height);
  pen.lineTo(start[0], height);
  pen.closePath();
  pen.fillStyle = colour;
  pen.globalAlpha = 0.12;
  pen.fill();
  pen.globalAlpha = 1;
}

/**
 * The colour behind a custom property in the theme of now. One with light-dark() is only resolved where it is used, so it
 * is put on an element and read back.
 */
export function colourOf(canvas: HTMLElement, name: string): string {
  const key = `${document.documentElement.dataset["theme"]} ${name}`;
  const known = colours.get(key);
  if (known !== undefined) return known;
  canvas.style.color = `var(${name})`;
  const resolved = getComputedStyle(canvas).color;
  colours.set(key, resolved);
  return resolved;
}

const colours = new Map<string, string>();

function niceAbove(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
}

/**
 * Top of an axis for a largest value, on a 1-2-5 scale, or on powers of two for what is counted in them. It grows at once, but
 * shrinks only when the data fits in 40 % of it, so that the scale does not jump with each sample.
 */
export function axisMax(largest: number, before: number, least: number, isBinary = false): number {
  const wanted = Math.max(least, largest * 1.1);
  const nice = isBinary ? 2 ** Math.ceil(Math.log2(wanted)) : niceAbove(wanted);
  if (before > 0 && nice < before && largest > before * 0.4) return before;
  return nice;
}
