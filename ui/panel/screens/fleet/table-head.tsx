import type { Instance, SortName } from "../../../../src/panel/features/fleet/contract.ts";
import { Icon } from "../../../kit/icon.tsx";
import { nextSort, type Sort, sortColumns } from "./columns.ts";
import { add, drop, selected } from "./selection.ts";

/** The head of a column. */
export interface HeadCell {
  id: string;
  title: string;
  /** What the server sorts by; none for a column that it does not sort by. */
  sorts?: SortName;
}

/** The columns of the list; clients only where a workspace has some. */
export function headsOf(hasClients: boolean): HeadCell[] {
  return hasClients ? all : all.filter(({ id }) => id !== "client");
}

const all: HeadCell[] = [
  { id: "pick", title: "" },
  { id: "host", title: "Host", sorts: "host" },
  { id: "status", title: "Status", sorts: "status" },
  { id: "region", title: "Region", sorts: "region" },
  { id: "client", title: "Client", sorts: "tenant" },
  { id: "version", title: "Version", sorts: "version" },
  { id: "cpu", title: "Processor", sorts: "cpu" },
  { id: "mem", title: "Memory", sorts: "mem" },
  { id: "disk", title: "Disk", sorts: "disk" },
  { id: "apps", title: "Apps" },
  { id: "seen", title: "Seen", sorts: "last_seen" },
  { id: "more", title: "" },
];

interface TableHeadProps {
  heads: readonly HeadCell[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The rows in view, which the first box selects. */
  rows: readonly Instance[];
}

/** Widths and titles of the columns; a press on a title sorts. */
export function TableHead({ heads, sort, onSort, rows }: TableHeadProps) {
  return (
    <>
      <colgroup>
        {heads.map(({ id }) => (
          <col key={id} class={`col-${id}`} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {heads.map((head) =>
            head.id === "pick" ? (
              <PickHead key={head.id} rows={rows} />
            ) : (
              <Head key={head.id} head={head} sort={sort} onSort={onSort} />
            ),
          )}
        </tr>
      </thead>
    </>
  );
}

function Head({ head, sort, onSort }: { head: HeadCell; sort: Sort; onSort: (sort: Sort) => void }) {
  const column = sortColumns.find(({ id }) => id === head.sorts);
  const name = `col-${head.id} ${head.id === "apps" || head.id === "seen" ? "num" : ""}`;
  if (column === undefined)
    return (
      <th scope="col" class={name}>
        {head.title === "" ? <span class="sr">Actions</span> : head.title}
      </th>
    );
  const isBy = sort.by === column.id;
  return (
    <th scope="col" class={name} aria-sort={isBy ? (sort.falling ? "descending" : "ascending") : undefined}>
      <button type="button" class="sorter" onClick={() => onSort(nextSort(sort, column))}>
        {head.title}
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
