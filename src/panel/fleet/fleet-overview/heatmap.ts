import { setImmediate } from "node:timers/promises";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import { FIRST_SILENT, type Fleet, figureOf, STATUSES } from "../fleet/index.ts";
import type { HeatCell, HeatMetric } from "./contract.ts";
import { listTallies, type Tally, viewFleet } from "./tally.ts";

const COLUMNS = { cpu: "cpu", mem: "memory", disk: "disk" } as const satisfies Record<HeatMetric, string>;
type Indexes = Pick<Fleet, "indexOf" | "prepareIndex">;

/** Cells that are written at one go. */
const SLICE = 4_096;

/** The cells of one region, by host name; kept apart from the fleet, which goes on while they are written. */
interface Row {
  region: string;
  tally: Tally;
  nodes: NodeFacts[];
  /** The rank of each node's status. */
  status: number[];
  /** NaN while unknown and for nodes that are not heard of. */
  values: number[];
}

async function drawRows(
  { indexOf, prepareIndex }: Indexes,
  fleet: TenantFleet,
  metric: HeatMetric,
): Promise<{ total: number; rows: Row[] }> {
  await prepareIndex(fleet, ["id", "host"]);
  const index = indexOf(fleet);
  const view = viewFleet(fleet, index);
  const column = fleet.columns()[COLUMNS[metric]];
  const codes = index.code("region");
  const rows = new Map<number, Row>();
  for (const { code, region, tally } of listTallies(view))
    rows.set(code, { region, tally, nodes: [], status: [], values: [] });
  for (const position of index.order("host")) {
    const row = rows.get(codes[position] ?? 0);
    const facts = index.facts[position];
    if (!row || !facts) continue;
    const status = view.status[position] ?? 0;
    row.nodes.push(facts);
    row.status.push(status);
    row.values.push(status >= FIRST_SILENT ? Number.NaN : (column[facts.no] ?? Number.NaN));
  }
  return { total: index.size, rows: [...rows.values()] };
}

/** The cells of a row as the inside of a JSON list, with pauses so that a large map holds nobody up. */
async function writeCells(row: Row): Promise<string> {
  const slices: string[] = [];
  for (let start = 0; start < row.nodes.length; start += SLICE) {
    if (start > 0) await setImmediate();
    const cells: HeatCell[] = [];
    const end = Math.min(start + SLICE, row.nodes.length);
    for (let place = start; place < end; place++) {
      const facts = row.nodes[place];
      if (!facts) continue;
      const status = STATUSES[row.status[place] ?? 0] ?? "offline";
      const value = figureOf(row.values[place] ?? Number.NaN);
      const tenant = facts.client_name ?? facts.client_id;
      cells.push({ id: facts.id, host: facts.hostname, status, value, tenant });
    }
    slices.push(JSON.stringify(cells).slice(1, -1));
  }
  return slices.join(",");
}

function averageOf({ values }: Row): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return figureOf(known.reduce((sum, value) => sum + value, 0) / (known.length || Number.NaN));
}

/** The heat map by regions, as the JSON of `Heatmap`. */
export async function writeHeatmap(indexes: Indexes, fleet: TenantFleet, metric: HeatMetric): Promise<string> {
  const { total, rows } = await drawRows(indexes, fleet, metric);
  const written: string[] = [];
  for (const row of rows) {
    const head = JSON.stringify({ region: row.region, ...row.tally, avg: averageOf(row) });
    written.push(`${head.slice(0, -1)},"cells":[${await writeCells(row)}]}`);
  }
  return `{"metric":"${metric}","total":${total},"rows":[${written.join(",")}]}`;
}

/** The older shape, as the JSON of `HeatCells`. */
export async function writeCellList(indexes: Indexes, fleet: TenantFleet): Promise<string> {
  const { rows } = await drawRows(indexes, fleet, "cpu");
  const written: string[] = [];
  for (const row of rows) written.push(await writeCells(row));
  return `{"cells":[${written.join(",")}]}`;
}
