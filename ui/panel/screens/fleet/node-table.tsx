import { useLayoutEffect, useRef } from "preact/hooks";
import type { Instance, SortName } from "../../../../src/panel/features/fleet/contract.ts";
import { Icon } from "../../../kit/icon.tsx";
import { toast } from "../../../kit/toast.tsx";
import { nextSort, type Sort, sortColumns } from "./columns.ts";
import { EmptyRow, NodeRow } from "./node-row.tsx";
import { add, drop, selected, selectionLimit, toggle } from "./selection.ts";
import type { NodePages } from "./use-list.ts";
import type { ListWindow } from "./use-window.ts";

interface NodeTableProps {
  pages: NodePages;
  total: number;
  view: ListWindow;
  sort: Sort;
  onSort: (sort: Sort) => void;
  newest: string | null;
  hasClients: boolean;
  /** The row that the keyboard is on; null before the first key. */
  active: number | null;
  now: number;
}

/** The list: only the rows in view exist, so that a thousand or a hundred thousand nodes cost the same. */
export function NodeTable({ pages, total, view, sort, onSort, newest, hasClients, active, now }: NodeTableProps) {
  const lastPicked = useRef<number | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const picked = selected.value;
  const heads = headsOf(hasClients);
  const places = Array.from({ length: view.end - view.first }, (_, index) => view.first + index);
  const rows = places.map((index) => pages.row(index));
  const shown = rows.filter((row) => row !== null);
  const version = pages.version.value;
  // The row may come into being only after the page has scrolled to it.
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
  return (
    <table class="table nodes" aria-label="Nodes" aria-rowcount={total + 1} data-version={version}>
      <colgroup>
        {heads.map(({ id }) => (
          <col key={id} class={`col-${id}`} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {heads.map(({ id, title, sorts }) =>
            id === "pick" ? (
              <PickHead key={id} rows={shown} />
            ) : (
              <Head key={id} id={id} title={title} sorts={sorts} sort={sort} onSort={onSort} />
            ),
          )}
        </tr>
      </thead>
      <tbody
        style={{ "--above": `${view.above}px`, "--below": `${view.below}px` }}
        ref={(element) => {
          body.current = element;
          view.ref.current = element;
        }}
      >
        {places.map((index, place) => {
          const row = rows[place];
          if (row === null || row === undefined) return <EmptyRow key={index} index={index} columns={heads.length} />;
          return (
            <NodeRow
              key={index}
              row={row}
              index={index}
              now={now}
              newest={newest}
              hasClients={hasClients}
              isSelected={picked.has(row.id)}
              isActive={active === index}
              onToggle={(withRange) => pick(row, index, withRange)}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface HeadCell {
  id: string;
  title: string;
  sorts?: SortName | undefined;
}

function headsOf(hasClients: boolean): HeadCell[] {
  const heads: (HeadCell | null)[] = [
    { id: "pick", title: "" },
    { id: "host", title: "Host", sorts: "host" },
    { id: "status", title: "Status", sorts: "status" },
    { id: "region", title: "Region", sorts: "region" },
    hasClients ? { id: "client", title: "Client", sorts: "tenant" } : null,
    { id: "version", title: "Version", sorts: "version" },
    { id: "cpu", title: "Processor", sorts: "cpu" },
    { id: "mem", title: "Memory", sorts: "mem" },
    { id: "disk", title: "Disk", sorts: "disk" },
    { id: "apps", title: "Apps" },
    { id: "seen", title: "Seen", sorts: "last_seen" },
    { id: "more", title: "" },
  ];
  return heads.filter((head) => head !== null);
}

function Head({ id, title, sorts, sort, onSort }: HeadCell & { sort: Sort; onSort: (sort: Sort) => void }) {
  const column = sortColumns.find((one) => one.id === sorts);
  const name = `col-${id} ${id === "apps" || id === "seen" ? "num" : ""}`;
  if (column === undefined)
    return (
      <th scope="col" class={name}>
        {title === "" ? <span class="sr">Actions</span> : title}
      </th>
    );
  const isBy = sort.by === column.id;
  return (
    <th scope="col" class={name} aria-sort={isBy ? (sort.falling ? "descending" : "ascending") : undefined}>
      <button type="button" class="sorter" onClick={() => onSort(nextSort(sort, column))}>
        {title}
        {isBy && <Icon name="down" class={sort.falling ? "" : "turned"} />}
      </button>
    </th>
  );
}

/** Takes in what is in view, or lets go of everything. */
function PickHead({ rows }: { rows: readonly Instance[] }) {
  const count = selected.value.size;
  const isAll = count > 0 && rows.every((row) => selected.value.has(row.id));
  return (
    <th scope="col" class="col-pick">
      <input
        class="check"
        type="checkbox"
        aria-label={count > 0 ? "Select none" : "Select the nodes in view"}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onClick={() => (count > 0 ? drop() : add(rows))}
      />
    </th>
  );
}

function between(pages: NodePages, from: number, to: number): Instance[] {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return Array.from({ length: last - first + 1 }, (_, index) => pages.row(first + index)).filter((row) => row !== null);
}
