import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import type { ListColumn } from "./columns.ts";
import { type CellContext, NodeCell } from "./node-cell.tsx";

interface NodeRowProps extends CellContext {
  row: Instance;
  /** Its place in the whole list, from 0. */
  index: number;
  columns: readonly ListColumn[];
  isSelected: boolean;
  isActive: boolean;
  mayChange: boolean;
}

/**
 * One node of the list. Dozens of these come and go with every turn of the wheel: few elements, shapes from the stylesheet, and no
 * handlers, which the table has for all of them.
 */
export function NodeRow({ row, index, columns, now, newest, isSelected, isActive, mayChange }: NodeRowProps) {
  const place = row.region ?? "no region";
  return (
    <tr
      class={`${isSelected ? "on" : ""} ${isActive ? "here" : ""} ${row.health === "offline" ? "silent" : ""}`}
      aria-rowindex={index + 2}
      data-row={index}
    >
      <td class="col-pick">
        {mayChange && (
          <input class="check" type="checkbox" aria-label={`Select ${row.hostname}`} checked={isSelected} />
        )}
      </td>
      <td class="col-host">
        <a class="host cut" href={nodePath(row.id)}>
          {row.hostname}
        </a>
        <span class="sub cut">{row.client_name === null ? place : `${place}, ${row.client_name}`}</span>
      </td>
      {columns.map(({ id }) => (
        <NodeCell key={id} id={id} row={row} now={now} newest={newest} />
      ))}
      <td class="col-more">
        {mayChange && (
          <button
            type="button"
            class="btn ghost icon sm dots"
            aria-haspopup="menu"
            aria-label={`Actions for ${row.hostname}`}
          />
        )}
      </td>
    </tr>
  );
}

/** The page of a node. */
export function nodePath(id: string): string {
  return `/nodes/${encodeURIComponent(id)}`;
}

/** A row that is still on its way, at its final size. */
export function EmptyRow({ index, columns }: { index: number; columns: number }) {
  return (
    <tr aria-rowindex={index + 2} aria-busy="true">
      <td colSpan={columns}>
        <span class="sk" style={{ width: `${30 + ((index * 17) % 40)}%` }} />
      </td>
    </tr>
  );
}
