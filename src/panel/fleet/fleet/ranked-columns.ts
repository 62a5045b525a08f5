import { setImmediate } from "node:timers/promises";
import { naturalKey, versionKey } from "../../../lib/natural-key.ts";
import { sortRange } from "../../../lib/smallest.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import { createRanks, type Ranks } from "./ranks.ts";

/** Columns that change with a node's facts only. */
export type FactColumn = "id" | "host" | "ip" | "region" | "tenant" | "version";

const COLUMNS: Record<FactColumn, { textOf(facts: NodeFacts): string | null; keyOf(text: string): string }> = {
  id: { textOf: ({ id }) => id, keyOf: (text) => text },
  host: { textOf: ({ hostname }) => hostname, keyOf: naturalKey },
  ip: { textOf: ({ ip_address }) => ip_address, keyOf: naturalKey },
  region: { textOf: ({ region }) => region || null, keyOf: naturalKey },
  tenant: { textOf: ({ client_id, client_name }) => client_name ?? client_id, keyOf: naturalKey },
  version: { textOf: ({ version }) => version, keyOf: versionKey },
};

/** With more changes than this a column is made anew when somebody asks: many single insertions cost more. */
const MANY = 1_000;
/** Fleets below this are ranked at one go. */
const SMALL = 2_048;

interface Column {
  ranks: Ranks;
  /** By position; null until somebody sorts by it. */
  values: Float64Array | null;
  /** Sorted positions; null until somebody asks, and whenever they may have changed. */
  order: Uint32Array | null;
  /** While the ranks are made for the first time. */
  learning: Promise<void> | null;
}

/** The columns by which nodes are sorted, as numbers; kept in step with the facts, which stay the caller's. */
export interface RankedColumns {
  /** Sorts as the column does; NaN where a node has nothing there. */
  rank(column: FactColumn): Float64Array;
  /** All positions, sorted by the column and then by id; nodes that have nothing there come last. */
  order(column: FactColumn): Uint32Array;
  /** Makes ready to sort by a column for the first time, in slices. */
  learn(column: FactColumn): Promise<void>;
  /** The facts at these positions changed; `isMoved` when there is another node than before at some. */
  update(changed: readonly number[], isMoved: boolean): void;
}

/** Columns of nodes by position. */
export function createRankedColumns(facts: readonly NodeFacts[]): RankedColumns {
  const columns = new Map<FactColumn, Column>();
  /** Tells ranks of facts that changed meanwhile. */
  let round = 0;

  function columnOf(name: FactColumn): Column {
    const known = columns.get(name);
    if (known) return known;
    const fresh: Column = { ranks: createRanks(COLUMNS[name].keyOf), values: null, order: null, learning: null };
    columns.set(name, fresh);
    return fresh;
  }

  function rank(name: FactColumn): Float64Array {
    const column = columnOf(name);
    column.values ??= column.ranks.ofAll(facts.map(COLUMNS[name].textOf));
    return column.values;
  }

  /** The fresh ranks of some positions; null when the column has to be made anew for them. */
  function freshRanks(name: FactColumn, { ranks }: Column, changed: readonly number[]): number[] | null {
    const fresh: number[] = [];
    for (const position of changed) {
      const node = facts[position];
      const value = node ? ranks.ofOne(COLUMNS[name].textOf(node)) : null;
      if (value === null) return null;
      fresh.push(value);
    }
    return fresh;
  }

  function updateColumn(name: FactColumn, column: Column, changed: readonly number[], isMoved: boolean): void {
    const fresh = column.values && changed.length <= MANY ? freshRanks(name, column, changed) : null;
    if (!fresh || !column.values) {
      column.values = null;
      column.order = null;
      return;
    }
    const values = column.values.length >= facts.length ? column.values : lengthen(column.values, facts.length);
    const isStill = changed.every((position, index) => Object.is(values[position], fresh[index]));
    if (isMoved || !isStill) column.order = null;
    for (const [index, position] of changed.entries()) values[position] = fresh[index] ?? Number.NaN;
    column.values = values;
  }

  async function learnColumn(name: FactColumn, column: Column): Promise<void> {
    const began = round;
    const values = await column.ranks.learn(facts.map(COLUMNS[name].textOf), setImmediate);
    // What changed meanwhile is not in them; the next question reads them from the ranks.
    column.values = began === round ? values : null;
    column.order = null;
    column.learning = null;
  }

  return {
    rank,
    order(name) {
      const ranks = rank(name);
      const ties = rank("id");
      const column = columnOf(name);
      if (column.order) return column.order;
      const size = facts.length;
      const keys = Float64Array.from(ranks.subarray(0, size), (value) => (Number.isNaN(value) ? Infinity : value));
      column.order = Uint32Array.from(keys.keys());
      sortRange(column.order, keys, ties, 0, size);
      return column.order;
    },
    async learn(name) {
      const column = columnOf(name);
      if (column.values || facts.length < SMALL) return;
      column.learning ??= learnColumn(name, column);
      await column.learning;
    },
    update(changed, isMoved) {
      round += 1;
      for (const [name, column] of columns) updateColumn(name, column, changed, isMoved);
    },
  };
}

/** A longer copy with some room for what comes next. */
function lengthen(values: Float64Array, size: number): Float64Array {
  const longer = new Float64Array(Math.ceil(size * 1.25));
  longer.set(values);
  return longer;
}
