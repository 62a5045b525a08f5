import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { ColumnName } from "../../../../src/panel/fleet/fleet/views-contract.ts";
import { fitColumns, type ListColumn, phoneWidth, usualColumns } from "./columns.ts";

/** Wanted columns that the list has no room for now. */
export const roomless = signal<readonly ColumnName[]>([]);

/** The columns of the list as it is drawn now. */
export interface ShownColumns {
  columns: readonly ListColumn[];
  isPhone: boolean;
}

/** Follows the width of the list: which of the wanted columns it has room for. Null is the usual ones. */
export function useColumns(
  card: { current: HTMLElement | null },
  wanted: readonly ColumnName[] | null,
  hasClients: boolean,
): ShownColumns {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = card;
    if (current === null) return;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const isPhone = innerWidth <= phoneWidth;
  const some = (wanted ?? usualColumns).filter((id) => id !== "client" || hasClients);
  const { shown: columns, left } = fitColumns(some, { width, isPhone });
  // The same columns stay the same list, so that rows see that nothing has changed.
  const key = columns.map(({ id }) => id).join();
  const missing = left.map(({ id }) => id).join();
  useEffect(() => {
    roomless.value = left.map(({ id }) => id);
  }, [missing]);
  return { columns: useMemo(() => columns, [key]), isPhone };
}
