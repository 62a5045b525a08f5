import { useEffect, useRef } from "preact/hooks";
import type { Grid } from "./layout.ts";
import { steps } from "./layout.ts";
import { type Cell, paintCells } from "./paint.ts";

const one: Grid = { cell: 14, gap: 0, columns: 1 };

/** What tones and marks mean, painted by the same hand as the picture. */
export function HeatKey() {
  return (
    <ul class="heatkey" aria-label="Key">
      {steps.map((from, index) => (
        <Entry
          key={from}
          cell={{ status: "online", value: from }}
          text={index === steps.length - 1 ? `${from}% and more` : `${from} to ${steps[index + 1] ?? 100}%`}
        />
      ))}
      <Entry cell={{ status: "degraded", value: 92 }} text="Degraded: a corner is cut off" />
      <Entry cell={{ status: "offline", value: null }} text="Offline: a cross" />
      <Entry cell={{ status: "pending", value: null }} text="Never connected, or not heard yet: a frame" />
    </ul>
  );
}

function Entry({ cell, text }: { cell: Cell; text: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    if (canvas === null) return;
    const paint = (): void => paintCells(canvas, [cell], one, one.cell);
    paint();
    const themes = new MutationObserver(paint);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => themes.disconnect();
  }, []);
  return (
    <li>
      <canvas ref={ref} style={{ width: `${one.cell}px`, height: `${one.cell}px` }} />
      {text}
    </li>
  );
}
