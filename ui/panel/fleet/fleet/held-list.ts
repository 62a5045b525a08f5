import { useEffect, useRef } from "preact/hooks";
import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import { useChanges } from "../../client/changes.ts";
import { loadRows, type NodePages } from "./use-list.ts";
import type { RowWindow } from "./window.ts";

/** Changes come every second in a large fleet; a list that moves more often than this is hard to read. */
const changesMs = 2500;
/** After the pointer has left, the rows wait so long before they move: it may only have crossed the edge. */
const releaseMs = 700;

/** Keeps the list as it is now without moving rows below somebody's pointer or focus. */
export interface HeldList {
  /** Somebody points at the rows: from now on their figures change, their places do not. */
  hold: () => void;
  release: () => void;
}

/** Follows the changes of the fleet. */
export function useHeldList(pages: NodePages, view: RowWindow): HeldList {
  const held = useRef(false);
  const late = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const shownRows = (): Instance[] =>
    Array.from({ length: view.end - view.first }, (_, index) => pages.row(view.first + index)).filter(
      (row) => row !== null,
    );
  useChanges(
    "fleet",
    async () => {
      if (!held.current && !hasFocus()) return pages.refresh();
      late.current = true;
      pages.patch(await loadRows(shownRows().map(({ id }) => id)));
    },
    changesMs,
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    hold() {
      clearTimeout(timer.current);
      held.current = true;
    },
    release() {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        held.current = false;
        if (late.current) void pages.refresh();
        late.current = false;
      }, releaseMs);
    },
  };
}

/** Whether the keyboard is on a row. */
function hasFocus(): boolean {
  return document.activeElement?.closest("table.nodes tbody") != null;
}
