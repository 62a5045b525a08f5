import type { ComponentChildren, HTMLAttributes } from "preact";

export interface Column<T> {
  id: string;
  title: string;
  cell: (row: T) => ComponentChildren;
  /** Numbers go right. */
  number?: boolean;
  /** Not shown on phones. */
  wide?: boolean;
}

interface DataTableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  keyOf: (row: T) => string;
  compact?: boolean;
  /** On phones the first cell takes a line of its own, so that names of any length leave the rest in sight. */
  folds?: boolean;
  /** What each row has besides, such as what happens when something is dropped on it. */
  rowProps?: (row: T) => HTMLAttributes<HTMLTableRowElement>;
}

/** A plain table; on phones the `wide` columns go. */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
  compact = false,
  folds = false,
  rowProps,
}: DataTableProps<T>) {
  const classOf = (column: Column<T>): string =>
    [column.number === true ? "num" : "", column.wide === true ? "no-sm" : ""].join(" ").trim();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard.
    <div class="scroll" tabIndex={0}>
      <table class={`table ${compact ? "compact" : ""} ${folds ? "folding" : ""}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" class={classOf(column)}>
                {column.title === "" ? <span class="sr">Actions</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...rowProps?.(row)}>
              {columns.map((column) => (
                <td key={column.id} class={classOf(column)} data-title={column.title}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
