import type { ComponentChildren, RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Widget } from "../../../../src/node/platform/dashboards/contract.ts";
import { Icon } from "../../../kit/icon.tsx";
import { arrange, draft, remember } from "./board-state.ts";
import { change, columns, rowHeight, step, titles, type WidgetId } from "./layout.ts";

const gap = 16;

interface Props {
  id: WidgetId;
  at: Widget;
  editing: boolean;
  grid: RefObject<HTMLDivElement | null>;
  children: ComponentChildren;
}

/** One widget at its place; while arranging a button lies over it that can be dragged, and moved with the arrow keys. */
export function WidgetFrame({ id, at, editing, grid, children }: Props) {
  const [said, say] = useState("");
  const drag = useRef<{ x: number; y: number; before: Widget[]; size: boolean } | null>(null);

  const start = (event: PointerEvent, size: boolean): void => {
    const now = draft.peek();
    if (event.button !== 0 || now === null || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, before: now.layout, size };
  };
  const move = (event: PointerEvent): void => {
    const from = drag.current;
    const width = grid.current?.clientWidth ?? 0;
    if (from === null || width === 0) return;
    const dx = Math.round((event.clientX - from.x) / ((width + gap) / columns));
    const dy = Math.round((event.clientY - from.y) / (rowHeight + gap));
    arrange(change(from.before, id, from.size ? { w: dx, h: dy } : { x: dx, y: dy }), { keep: true });
  };
  const end = (): void => {
    if (drag.current !== null) remember(drag.current.before);
    drag.current = null;
  };
  const press = (event: KeyboardEvent): void => {
    const now = draft.peek();
    if (now === null || event.altKey || event.metaKey || event.ctrlKey) return;
    const next = byKey(now.layout, id, event.key, event.shiftKey);
    if (next === null) return;
    event.preventDefault();
    arrange(next);
    const place = next.find((widget) => widget.id === id);
    if (place !== undefined) say(describe(place));
  };
  const style = { "--x": String(at.x + 1), "--y": String(at.y + 1), "--bw": String(at.w), "--bh": String(at.h) };
  const handlers = { onPointerMove: move, onPointerUp: end, onPointerCancel: end };
  return (
    <div class="widget" style={style} data-widget={id}>
      <div class="widget-in" inert={editing}>
        {children}
      </div>
      {editing && (
        <>
          <button
            type="button"
            class="widget-grip"
            aria-label={`${titles[id]}, ${describe(at)}. Arrows move, Shift and arrows resize.`}
            onPointerDown={(event) => start(event, false)}
            onKeyDown={press}
            {...handlers}
          />
          <span class="widget-corner" aria-hidden="true" onPointerDown={(event) => start(event, true)} {...handlers}>
            <Icon name="updown" class="s" />
          </span>
          <span class="sr" role="status">
            {said}
          </span>
        </>
      )}
    </div>
  );
}

function byKey(layout: Widget[], id: WidgetId, key: string, size: boolean): Widget[] | null {
  if (key === "ArrowLeft") return change(layout, id, size ? { w: -1 } : { x: -1 });
  if (key === "ArrowRight") return change(layout, id, size ? { w: 1 } : { x: 1 });
  if (key === "ArrowUp") return size ? change(layout, id, { h: -1 }) : step(layout, id, "up");
  if (key === "ArrowDown") return size ? change(layout, id, { h: 1 }) : step(layout, id, "down");
  return null;
}

function describe(place: Widget): string {
  return `column ${place.x + 1}, row ${place.y + 1}, ${place.w} wide, ${place.h} high`;
}
