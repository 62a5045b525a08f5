import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import type { ColumnName } from "../../../../src/panel/fleet/fleet/views-contract.ts";
import { duration, moment } from "../../../client/format.ts";
import { figureOf, figureText, seenText, silentFor } from "./columns.ts";
import { shortReasons, statusLook } from "./health.ts";

/** What a cell is drawn from besides its row. */
export interface CellContext {
  now: number;
  /** The version that is marked as newest; the others are old. */
  newest: string | null;
}

/** One column of a row. */
export function NodeCell({ id, row, now, newest }: { id: ColumnName; row: Instance } & CellContext) {
  switch (id) {
    case "status":
      return <StatusCell row={row} now={now} />;
    case "cpu":
      return <Figure class="col-cpu" title="cpu" value={figureOf(row.cpu_percent, row)} />;
    case "mem":
      return <Figure class="col-mem" title="memory" value={figureOf(row.memory_percent, row)} />;
    case "disk":
      return <Figure class="col-disk" title="disk" value={figureOf(row.disk_percent, row)} />;
    case "apps":
      return (
        <td class="col-apps num" data-title="apps">
          {row.apps_count}
        </td>
      );
    case "uptime":
      return (
        <td class="col-uptime num c2" data-title="up">
          {row.uptime_seconds === null ? "–" : duration(row.uptime_seconds)}
        </td>
      );
    case "seen":
      return (
        <td
          class="col-seen num c3"
          data-title="seen"
          data-tip={row.last_seen === null ? undefined : moment(row.last_seen)}
        >
          {seenText(row.last_seen, now)}
        </td>
      );
    default:
      return (
        <td
          class={`col-${id} c2 cut`}
          data-tip={id === "tags" && row.tags.length > 1 ? row.tags.join(", ") : undefined}
        >
          {textOf(id, row, newest)}
        </td>
      );
  }
}

function textOf(id: ColumnName, row: Instance, newest: string | null): string {
  switch (id) {
    case "region":
      return row.region ?? "–";
    case "client":
      return row.client_name ?? "–";
    case "version":
      return newest !== null && row.version !== newest ? `${row.version} old` : row.version;
    case "ip":
      return row.ip_address ?? "–";
    default:
      return row.tags.join(", ") || "–";
  }
}

function StatusCell({ row, now }: { row: Instance; now: number }) {
  const look = statusLook(row.status);
  const silence = row.status === "offline" ? silentFor(row, now) : null;
  return (
    <td class="col-status cut">
      <i class={`stmark ${look.state}`} />
      {look.word}
      {silence !== null && <span class="c3 why"> for {silence}</span>}
      {row.health === "degraded" && <span class="c3 why"> {shortReasons(row.degraded_reasons, row)}</span>}
    </td>
  );
}

function Figure({ value, title, class: name }: { value: number | null; title: string; class: string }) {
  const tone = value === null ? "none" : value >= 90 ? "high" : "";
  return (
    <td class={`${name} fig ${tone}`} data-title={title} style={{ "--v": `${Math.round(value ?? 0)}%` }}>
      {figureText(value)}
    </td>
  );
}
