import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cancelPaint, type Plot, paintPlot, requestPaint } from "./draw.ts";

/** A canvas that repaints when the plot signal, the theme or its own size changes; no component renders for that. */
export function Canvas({
  plot,
  height,
  fills = false,
  label,
}: {
  plot: ReadonlySignal<Plot>;
  height: number;
  /** Takes the room that is left below each other in a column; `height` is the least then. */
  fills?: boolean;
  label: string;
}) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    if (canvas === null) return;
    const paint = (): void => paintPlot(canvas, plot.peek());
    const stop = effect(() => {
      if (plot.value !== null) requestPaint(paint);
    });
    const sizes = new ResizeObserver(() => requestPaint(paint));
    sizes.observe(canvas);
    const themes = new MutationObserver(() => requestPaint(paint));
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      stop();
      sizes.disconnect();
      themes.disconnect();
      cancelPaint(paint);
    };
  }, [plot]);
  return (
    <canvas
      ref={ref}
      class="plotc"
      style={fills ? { flex: `1 1 ${height}px`, minHeight: `${height}px` } : { height: `${height}px` }}
      role="img"
      aria-label={label}
    />
  );
}

interface ChartProps {
  plot: ReadonlySignal<Plot>;
  label: string;
  height?: number;
  /** Labels of the value axis, from the top. */
  ys: ReadonlySignal<string[]>;
  /** Labels of the time axis, from the left. */
  xs: ReadonlySignal<string[]>;
}

/** A chart with axes; labels are HTML, so that they never distort. */
export function Chart({ plot, label, height = 132, ys, xs }: ChartProps) {
  return (
    <div class="chart" style={{ "--ch": `${height}px` }}>
      <div class="ys" aria-hidden="true">
        {ys.value.map((text, index) => (
          <span key={index}>{text}</span>
        ))}
      </div>
      <div class="plot">
        <Canvas plot={plot} height={height} label={label} />
      </div>
      <div class="xs" aria-hidden="true">
        {xs.value.map((text, index) => (
          <span key={index}>{text}</span>
        ))}
      </div>
    </div>
  );
}
