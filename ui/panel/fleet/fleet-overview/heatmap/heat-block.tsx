import { useEffect, useRef } from "preact/hooks";
import { type Grid, heightOf, widthOf } from "./layout.ts";
import { type Cell, paintCells } from "./paint.ts";

interface HeatBlockProps {
  cells: readonly Cell[];
  grid: Grid;
  /** Place of its first cell among all cells. */
  start: number;
}

/** Cells on one canvas, painted when it comes near the view; one that is far away gives its memory back. */
export function HeatBlock({ cells, grid, start }: HeatBlockProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const height = heightOf(cells.length, grid);
  useEffect(() => {
    const canvas = ref.current;
    if (canvas === null) return;
    let isNear = false;
    const paint = (): void => {
      if (isNear) paintCells(canvas, cells, grid, height);
      else canvas.width = 0;
    };
    const near = new IntersectionObserver(
      ([entry]) => {
        isNear = entry?.isIntersecting === true;
        paint();
      },
      { rootMargin: "400px" },
    );
    near.observe(canvas);
    const themes = new MutationObserver(paint);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      near.disconnect();
      themes.disconnect();
    };
  }, [cells, grid, height]);
  return (
    <canvas
      ref={ref}
      class="heatblock"
      data-start={start}
      data-count={cells.length}
      style={{ width: `${widthOf(grid)}px`, height: `${height}px` }}
    />
  );
}
