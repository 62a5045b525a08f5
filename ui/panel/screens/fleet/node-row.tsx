import type { Instance } from "../../../../src/panel/features/fleet/contract.ts";
import { moment } from "../../../client/format.ts";
import { shortReasons, statusLook } from "../health.ts";
import { figureOf, figureText, seenText } from "./columns.ts";

interface NodeRowProps {
  row: Instance;
  /** Its place in the whole list, from 0. */
  index: number;
  now: number;
  newest: string | null;
  hasClients: boolean;
  isSelected: boolean;
  isActive: boolean;
  mayChange: boolean;
}

/**
 * One node of the list. Dozens of these come and go with every turn of the wheel: few elements, shapes from the stylesheet, and no
 * handlers, which the table has for all of them.
 */
export function NodeRow({ row, index, now, newest, hasClients, isSelected, isActive, mayChange }: NodeRowProps) {
  const look = statusLook(row.status);
  const place = row.region ?? "no region";
  return (
    <tr class={`${isSelected ? "on" : ""} ${isActive ? "here" : ""}`} aria-rowindex={index + 2} data-row={index}>
      <td class="col-pick">
        <input class="check" type="checkbox" aria-label={`Select ${row.hostname}`} checked={isSelected} />
      </td>
      <td class="col-host">
        <a class="host cut" href={nodePath(row.id)}>
          {row.hostname}
        </a>
        <span class="sub cut">{row.client_name === null ? place : `${place}, ${row.client_name}`}</span>
      </td>
      <td class="col-status cut">
        <i class={`stmark ${look.state}`} />
        {look.word}
        {row.health === "degraded" && <span class="c3 why"> {shortReasons(row.degraded_reasons, row)}</span>}
      </td>
      <td class="col-region c2 cut">{row.region ?? "–"}</td>
      {hasClients && <td class="col-client c2 cut">{row.client_name ?? "–"}</td>}
      <td class="col-version c2 cut">
        {newest !== null && row.version !== newest ? `${row.version} old` : row.version}
      </td>
      <Figure class="col-cpu" value={figureOf(row.cpu_percent, row)} />
      <Figure class="col-mem" value={figureOf(row.memory_percent, row)} />
      <Figure class="col-disk" value={figureOf(row.disk_percent, row)} />
      <td class="col-apps num">{row.apps_count}</td>
      <td class="col-seen num c3" data-tip={row.last_seen === null ? undefined : moment(row.last_seen)}>
        {seenText(row.last_seen, now)}
      </td>
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

function Figure({ value, class: name }: { value: number | null; class: string }) {
  const tone = value === null ? "none" : value >= 90 ? "high" : "";
  return (
    <td class={`${name} fig ${tone}`} style={{ "--v": `${Math.round(value ?? 0)}%` }}>
      {figureText(value)}
    </td>
  );
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
