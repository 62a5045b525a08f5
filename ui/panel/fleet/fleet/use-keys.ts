import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { navigate } from "../../../client/router.ts";
import { usePageKeys } from "../../../kit/page-keys.ts";
import { may } from "../../client/permissions.ts";
import { nodePath } from "./node-row.tsx";
import { toggle } from "./selection.ts";
import type { NodePages } from "./use-list.ts";
import type { ListWindow } from "./use-window.ts";

/** Keys of the list: j and k move, x selects, Enter opens. Gives the row that they are on; null before the first one. */
export function useListKeys(pages: NodePages, view: ListWindow, total: number): number | null {
  const [active, setActive] = useState<number | null>(null);
  /** Where the last key led to, and the row that had the focus then, because keys can be quicker than rendering. */
  const aim = useRef<{ row: number; from: number | null } | null>(null);
  // Another list has other rows.
  useLayoutEffect(() => {
    setActive(null);
    aim.current = null;
  }, [pages]);
  usePageKeys((event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return;
    const drawn = rowOf(document.activeElement);
    if (drawn !== null && drawn === aim.current?.row) aim.current = null;
    const isLate = aim.current !== null && (drawn === null || drawn === aim.current.from);
    const focused = isLate ? (aim.current?.row ?? null) : (drawn ?? active);
    const row = focused === null ? null : pages.row(focused);
    const next = nextRow(event.key, focused, view.first, total);
    if (next !== null) {
      aim.current = { row: next, from: drawn };
      setActive(next);
      view.show(next);
    } else if (event.key === "x" && row !== null && may("fleet:write")) toggle(row);
    else if (event.key === "Enter" && row !== null && document.activeElement === document.body)
      navigate(nodePath(row.id));
    else return;
    event.preventDefault();
  });
  return active;
}

/** The row that a key leads to; from nowhere it is the first one in view. */
function nextRow(key: string, at: number | null, first: number, total: number): number | null {
  if (total === 0) return null;
  if (key === "j") return at === null ? first : Math.min(total - 1, at + 1);
  if (key === "k") return at === null ? first : Math.max(0, at - 1);
  if (at === null) return null;
  if (key === "Home") return 0;
  return key === "End" ? total - 1 : null;
}

function rowOf(element: Element | null): number | null {
  const row = element?.closest<HTMLElement>("tr[data-row]")?.dataset["row"];
  return row === undefined ? null : Number(row);
}

/** Whether the key belongs to a field or to a dialog or menu above the list. */
function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open], [popover]:popover-open") !== null) return true;
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}
