import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import { toast } from "../../../kit/toasts.ts";
import { may } from "../../client/permissions.ts";
import type { Sort } from "./columns.ts";
import { EmptyRow, NodeRow } from "./node-row.tsx";
import { useRowMenu } from "./row-menu.tsx";
import { add, selected, selectionLimit, toggle } from "./selection.ts";
import { TableHead } from "./table-head.tsx";
import type { ShownColumns } from "./use-columns.ts";
import type { NodePages } from "./use-list.ts";
import type { ListWindow } from "./use-window.ts";

interface NodeTableProps {
  pages: NodePages;
  total: number;
  view: ListWindow;
  sort: Sort;
  onSort: (sort: Sort) => void;
  newest: string | null;
  shown: ShownColumns;
  /** The row that the keyboard is on; null before the first key. */
  active: number | null;
  now: number;
}

/** The list: only the rows in view exist, so that a thousand or a hundred thousand nodes cost the same. */
export function NodeTable({
  pages,
  total,
  view,
  sort,
  onSort,
  newest,
  shown: { columns, isPhone },
  active,
  now,
}: NodeTableProps) {
  const lastPicked = useRef<number | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const draw = useKeptRows();
  const menu = useRowMenu();
  const picked = selected.value;
  const mayChange = may("fleet:write");
  const version = pages.version.value;
  const inView: Instance[] = [];
  const rows = Array.from({ length: view.end - view.first }, (_, place) => {
    const index = view.first + place;
    const row = pages.row(index);
    if (row === null) return <EmptyRow key={index} index={index} columns={columns.length + 3} />;
    inView.push(row);
    return draw({
      row,
      index,
      now,
      newest,
      columns,
      mayChange,
      isSelected: picked.has(row.id),
      isActive: active === index,
    });
  });
  // The row may exist only after the page has scrolled to it.
  useLayoutEffect(() => {
    if (active === null) return;
    const link = body.current?.querySelector<HTMLElement>(`[data-row="${active}"] a.host`);
    if (document.activeElement !== link) link?.focus({ preventScroll: true });
  }, [active, view.first]);
  const pick = (row: Instance, index: number, withRange: boolean): void => {
    const from = lastPicked.current;
    lastPicked.current = index;
    if (withRange && from !== null) add(between(pages, from, index));
    else if (!toggle(row)) toast(`At most ${selectionLimit} nodes can be selected.`, { state: "info" });
  };
  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const line = target?.closest<HTMLElement>("tr[data-row]") ?? null;
    const index = Number(line?.dataset["row"]);
    const row = line === null ? null : pages.row(index);
    if (target === null || line === null || row === null) return;
    const button = target.closest<HTMLElement>("button");
    if (button !== null) menu.open(row, button);
    else if (mayChange && target.closest("input, .col-pick") !== null) pick(row, index, event.shiftKey);
    else if (target.closest("a") === null && getSelection()?.type !== "Range")
      line.querySelector<HTMLElement>("a.host")?.click();
  };
  return (
    <div class="nodesroom" ref={view.ref} style={{ height: `${total * view.rowHeight + view.headHeight}px` }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: what a press on a row does, the link, checkbox and button in it do for keys. */}
      <table
        class={`table nodes ${mayChange ? "" : "look-only"}`}
        aria-label="Nodes"
        aria-rowcount={total + 1}
        data-version={version}
        style={{ marginTop: `${view.above}px` }}
        onClick={onClick}
      >
        <TableHead
          columns={columns}
          isPhone={isPhone}
          sort={sort}
          onSort={onSort}
          rows={inView}
          mayChange={mayChange}
        />
        <tbody ref={body}>{rows}</tbody>
      </table>
      {menu.menu}
    </div>
  );
}

type RowProps = Parameters<typeof NodeRow>[0];

/** Draws rows, and reuses the last result for a row that has not changed, so that Preact skips it. */
function useKeptRows(): (props: RowProps) => VNode {
  const kept = useRef(new Map<number, { props: RowProps; drawn: VNode }>());
  return (props) => {
    const before = kept.current.get(props.index);
    if (before !== undefined && isSame(before.props, props)) return before.drawn;
    const drawn = <NodeRow key={props.index} {...props} />;
    kept.current.delete(props.index);
    kept.current.set(props.index, { props, drawn });
    if (kept.current.size > mostKept) kept.current.delete(kept.current.keys().next().value ?? 0);
    return drawn;
  };
}

const mostKept = 150;

function isSame(one: RowProps, other: RowProps): boolean {
  return (
    one.row === other.row &&
    one.now === other.now &&
    one.newest === other.newest &&
    one.columns === other.columns &&
    one.mayChange === other.mayChange &&
    one.isSelected === other.isSelected &&
    one.isActive === other.isActive
  );
}

function between(pages: NodePages, from: number, to: number): Instance[] {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return Array.from({ length: last - first + 1 }, (_, index) => pages.row(first + index)).filter((row) => row !== null);
}
