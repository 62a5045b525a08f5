import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import { Icon } from "../../../kit/icon.tsx";
import { type ListColumn, nextSort, type Sort, type SortColumn, sortColumns } from "./columns.ts";
import { add, drop, selected } from "./selection.ts";

interface TableHeadProps {
  columns: readonly ListColumn[];
  /** Whether rows have two lines, with columns of their own width. */
  isPhone: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The rows in view, which the first box selects. */
  rows: readonly Instance[];
  mayChange: boolean;
}

/** Widths and titles of the columns; a press on a title sorts. */
export function TableHead({ columns, isPhone, sort, onSort, rows, mayChange }: TableHeadProps) {
  return (
    <>
      <colgroup>
        <col class="col-pick" />
        <col />
        {columns.map(({ id, width, narrow }) => (
          <col key={id} style={{ width: `${isPhone ? narrow : width}px` }} />
        ))}
        <col class="col-more" />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {mayChange ? <PickHead rows={rows} /> : <td class="col-pick" />}
          <Head id="host" title="Host" sorts="host" sort={sort} onSort={onSort} />
          {columns.map(({ id, title, sorts }) => (
            <Head key={id} id={id} title={title} sorts={sorts} sort={sort} onSort={onSort} />
          ))}
          <th scope="col" class="col-more">
            <span class="sr">Actions</span>
          </th>
        </tr>
      </thead>
    </>
  );
}

interface HeadProps {
  id: string;
  title: string;
  sorts: SortColumn["id"] | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

const numbers = new Set(["apps", "seen", "uptime"]);

function Head({ id, title, sorts, sort, onSort }: HeadProps) {
  const column = sortColumns.find((one) => one.id === sorts);
  const name = `col-${id} ${numbers.has(id) ? "num" : ""}`;
  if (column === undefined)
    return (
      <th scope="col" class={name}>
        {title}
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
