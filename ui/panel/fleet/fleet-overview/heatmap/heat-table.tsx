import { useSignal } from "@preact/signals";
import type { HeatRow } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { percent } from "../../../../client/format.ts";
import { Glyph } from "../../../../kit/status.tsx";
import { DataTable } from "../../../../kit/table.tsx";
import { statusLook } from "../../fleet/health.ts";
import { nodePath } from "../../fleet/node-row.tsx";
import { regionName } from "../verdict.ts";

const most = 100;
/** What needs a look comes first. */
const order = ["offline", "degraded", "pending", "online"];

/** The same as a table, made when it is opened: those in trouble and the highest figures first. */
export function HeatTable({ rows, label, sort }: { rows: readonly HeatRow[]; label: string; sort: string }) {
  const open = useSignal(false);
  const all = open.value ? rows.flatMap((row) => row.cells.map((cell) => ({ ...cell, region: row.region }))) : [];
  const shown = all
    .toSorted(
      (a, b) =>
        order.indexOf(a.status) - order.indexOf(b.status) ||
        (b.value ?? -1) - (a.value ?? -1) ||
        (a.host < b.host ? -1 : 1),
    )
    .slice(0, most);
  return (
    <details class="twin heattwin" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>The same as a table</summary>
      {shown.length > 0 && (
        <>
          <DataTable
            label={`${label} of every node`}
            compact
            rows={shown}
            keyOf={(cell) => cell.id}
            columns={[
              {
                id: "host",
                title: "Host",
                cell: (cell) => (
                  <a class="host" href={nodePath(cell.id)}>
                    {cell.host}
                  </a>
                ),
              },
              {
                id: "status",
                title: "Status",
                cell: (cell) => (
                  <span class="state">
                    <Glyph state={statusLook(cell.status).state} />
                    {statusLook(cell.status).word}
                  </span>
                ),
              },
              { id: "region", title: "Region", wide: true, cell: (cell) => regionName(cell.region) },
              {
                id: "value",
                title: label,
                number: true,
                cell: (cell) => (cell.value === null ? "–" : percent(Math.round(cell.value))),
              },
            ]}
          />
          {all.length > most && (
            <p class="t13 c3">
              The first {most} of {all.length.toLocaleString("en")}.{" "}
              <a class="link" href={`/fleet?sort=${sort}`}>
                All in the list
              </a>
            </p>
          )}
        </>
      )}
    </details>
  );
}
