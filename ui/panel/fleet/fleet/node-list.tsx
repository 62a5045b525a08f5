import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ColumnName } from "../../../../src/panel/fleet/fleet/views-contract.ts";
import { Skeleton } from "../../../kit/card.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import type { Sort } from "./columns.ts";
import { useHeldList } from "./held-list.ts";
import { NodeTable } from "./node-table.tsx";
import { useColumns } from "./use-columns.ts";
import { useListKeys } from "./use-keys.ts";
import type { FleetList } from "./use-list.ts";
import { useWindow } from "./use-window.ts";

interface NodeListProps {
  list: FleetList;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Columns that somebody has chosen; null for the usual ones. */
  columns: readonly ColumnName[] | null;
  /** In place of the rows when there are none. */
  children: ComponentChildren;
}

/** The rows in view, live and with their keys. Scrolling renders this component only, not the screen around it. */
export function NodeList({ list: { pages, isBefore }, sort, onSort, columns, children }: NodeListProps) {
  const total = pages.total.value;
  const view = useWindow(total ?? 0);
  const held = useHeldList(pages, view);
  const active = useListKeys(pages, view, total ?? 0);
  const now = useNow();
  const facets = pages.latest.value?.facets;
  const card = useRef<HTMLDivElement>(null);
  const shown = useColumns(card, columns, facets?.clients !== undefined);
  useEffect(() => pages.want(view.first, view.end), [pages, view.first, view.end]);
  return (
    <div
      ref={card}
      class={`card nodescard ${isBefore || pages.problem.value !== null ? "before" : ""}`}
      aria-busy={isBefore}
      onPointerEnter={held.hold}
      onPointerLeave={held.release}
    >
      {total === null && pages.problem.value === null && <Skeleton rows={12} />}
      {total === null && pages.problem.value !== null && (
        <ProblemCard problem={pages.problem.value} what="The fleet" retry={() => void pages.refresh()} />
      )}
      {total === 0 && children}
      {total !== null && total > 0 && (
        <NodeTable
          pages={pages}
          total={total}
          view={view}
          sort={sort}
          onSort={onSort}
          newest={newestOf(facets?.versions)}
          shown={shown}
          active={active}
          now={now}
        />
      )}
    </div>
  );
}

/** The version that is marked as newest, by its numbers; the others are old. */
function newestOf(versions: Record<string, number> | undefined): string | null {
  return Object.keys(versions ?? {}).toSorted((a, b) => byNumbers.compare(b, a))[0] ?? null;
}

const byNumbers = new Intl.Collator("en", { numeric: true });

/** The clock of the column that says how long ago, every ten seconds. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
