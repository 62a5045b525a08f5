import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Widget } from "../../../../src/node/platform/dashboards/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { usePageKeys } from "../../../kit/page-keys.ts";
import { useResource } from "../../client/resource.ts";
import {
  beginEdit,
  cancelEdit,
  conflict,
  draft,
  reset,
  resolveConflict,
  saveBoard,
  saving,
  undo,
} from "./board-state.ts";
import { columns, isWidgetId, readLayout, type WidgetId } from "./layout.ts";
import { WidgetFrame } from "./widget-frame.tsx";

/** The part of the home page that each user arranges: twelve columns, saved with the account. */
export function Board({ widget }: { widget: (id: WidgetId) => ComponentChildren }) {
  const saved = useResource("GET /api/profile/dashboard", { query: { type: "server" } });
  const bar = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const editing = draft.value;
  const isEditing = editing !== null;
  const layout = editing?.layout ?? readLayout(saved.data.value?.layout ?? []);
  useEffect(() => cancelEdit, []);
  const wasEditing = useRef(isEditing);
  useLayoutEffect(() => {
    if (wasEditing.current === isEditing) return;
    wasEditing.current = isEditing;
    // The pressed button is gone from the page: the focus moves on, so that keyboards need not start from the top.
    if (document.activeElement !== document.body) return;
    const next = isEditing
      ? grid.current?.querySelector<HTMLElement>(".widget-grip")
      : bar.current?.querySelector("button");
    next?.focus();
  }, [isEditing]);
  usePageKeys((event) => {
    if (document.querySelector("dialog[open]") !== null || isField(event.target)) return;
    if (draft.peek() === null) {
      if (event.key === "e" && !event.metaKey && !event.ctrlKey && !event.altKey) beginEdit();
    } else if (event.key === "Escape") cancelEdit();
    else if (event.key.toLowerCase() === "z" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      undo();
    }
  });
  return (
    <section class={`board ${isEditing ? "is-editing" : ""}`} aria-label="Live metrics, apps and server">
      <div class="board-bar" ref={bar}>
        {editing === null ? (
          <Button size="sm" kind="ghost" icon="edit" disabled={saved.data.value === null} onClick={beginEdit}>
            Arrange
          </Button>
        ) : (
          <EditBar steps={editing.past.length} />
        )}
      </div>
      {conflict.value !== null && (
        <Banner
          state="warn"
          action={
            <span class="btns">
              <Button size="sm" onClick={() => void resolveConflict("theirs")}>
                Take theirs
              </Button>
              <Button size="sm" kind="primary" onClick={() => void resolveConflict("mine")}>
                Keep mine
              </Button>
            </span>
          }
        >
          Changed in another tab: the same part was moved there too.
        </Banner>
      )}
      <div class="board-grid" ref={grid} style={{ "--columns": String(columns) }}>
        {[...layout].sort(readingOrder).map((item) =>
          isWidgetId(item.id) ? (
            <WidgetFrame key={item.id} id={item.id} at={item} editing={isEditing} grid={grid}>
              {widget(item.id)}
            </WidgetFrame>
          ) : null,
        )}
      </div>
    </section>
  );
}

function EditBar({ steps }: { steps: number }) {
  return (
    <>
      <p class="t13 c3 no-sm">
        Drag to move, pull the corner to resize. By keyboard: arrows move, with Shift they resize.
      </p>
      <span class="btns push">
        <Button size="sm" kind="ghost" onClick={reset}>
          Reset
        </Button>
        <Button size="sm" disabled={steps === 0} onClick={undo}>
          Undo
        </Button>
        <Button size="sm" onClick={cancelEdit}>
          Cancel
        </Button>
        <Button size="sm" kind="primary" busy={saving.value} onClick={() => void saveBoard()}>
          Save
        </Button>
      </span>
    </>
  );
}

function readingOrder(a: Widget, b: Widget): number {
  return a.y - b.y || a.x - b.x;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
