import type { Instance } from "../../../../src/panel/features/fleet/contract.ts";
import { moment } from "../../../client/format.ts";
import { Glyph } from "../../../kit/status.tsx";
import { shortReasons, statusLook } from "../health.ts";
import { figureOf, figureText, seenText } from "./columns.ts";
import { RowMenu } from "./row-menu.tsx";

interface NodeRowProps {
  row: Instance;
  /** Its place in the whole list, from 0. */
  index: number;
  now: number;
  newest: string | null;
  hasClients: boolean;
  isSelected: boolean;
  isActive: boolean;
  onToggle: (withRange: boolean) => void;
}

/** One node of the list. */
export function NodeRow({ row, index, now, newest, hasClients, isSelected, isActive, onToggle }: NodeRowProps) {
  const look = statusLook(row.status);
  const place = row.region ?? "no region";
  const sub = row.client_name === null ? place : `${place}, ${row.client_name}`;
  return (
    <tr
      class={`${isSelected ? "on" : ""} ${isActive ? "here" : ""}`}
      aria-rowindex={index + 2}
      data-row={index}
      onClick={(event) => openUnlessControl(event, row.id)}
    >
      <td class="col-pick">
        <input
          class="check"
          type="checkbox"
          aria-label={`Select ${row.hostname}`}
          checked={isSelected}
          onClick={(event) => onToggle(event.shiftKey)}
        />
      </td>
      <td class="col-host">
        <a class="host cut" href={nodePath(row.id)}>
          {row.hostname}
        </a>
        <span class="sub cut">{sub}</span>
      </td>
      <td class="col-status">
        <span class="state">
          <Glyph state={look.state} />
          {look.word}
          {row.health === "degraded" && <span class="c3 cut why">{shortReasons(row.degraded_reasons, row)}</span>}
        </span>
      </td>
      <td class="col-region c2 cut">{row.region ?? "–"}</td>
      {hasClients && <td class="col-client c2 cut">{row.client_name ?? "–"}</td>}
      <td class="col-version c2 cut">
        {row.version}
        {newest !== null && row.version !== newest && <span class="c3"> old</span>}
      </td>
      <Figure class="col-cpu" value={figureOf(row.cpu_percent, row)} />
      <Figure class="col-mem" value={figureOf(row.memory_percent, row)} />
      <Figure class="col-disk" value={figureOf(row.disk_percent, row)} />
      <td class="col-apps num">
        {row.apps_count}
        {row.failed_apps > 0 && <span class="sr">, {row.failed_apps} failed</span>}
      </td>
      <td class="col-seen num c3" data-tip={row.last_seen === null ? undefined : moment(row.last_seen)}>
        {seenText(row.last_seen, now)}
      </td>
      <td class="col-more">
        <RowMenu row={row} />
      </td>
    </tr>
  );
}

/** The page of a node. */
export function nodePath(id: string): string {
  return `/nodes/${encodeURIComponent(id)}`;
}

function Figure({ value, class: name }: { value: number | null; class: string }) {
  const tone = value === null ? "off" : value >= 90 ? "warn" : "";
  return (
    <td class={name}>
      <span class={`mini ${tone}`}>
        <span class={`bar ${tone}`} style={{ "--v": `${value ?? 0}%` }}>
          <i />
        </span>
        <b>{figureText(value)}</b>
      </span>
    </td>
  );
}

/** A press beside the controls of a row opens it, as its link does. */
function openUnlessControl(event: MouseEvent, id: string): void {
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || !(currentTarget instanceof Element)) return;
  if (target.closest("a, button, input, label, [popover]") !== null || getSelection()?.type === "Range") return;
  currentTarget.querySelector<HTMLAnchorElement>(`a[href="${nodePath(id)}"]`)?.click();
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
