import { setImmediate } from "node:timers/promises";
import { naturalKey, versionKey } from "../../../lib/natural-key.ts";
import { sortRange } from "../../../lib/smallest.ts";
import type { NodeFacts, TenantFleet } from "../../live/index.ts";
import { createNames, type Names } from "./names.ts";
import { createRanks, type Ranks } from "./ranks.ts";

/** Columns that change with a node's facts only. */
export type FactColumn = "id" | "host" | "ip" | "region" | "tenant" | "version";

const RANKED: Record<FactColumn, { textOf(facts: NodeFacts): string | null; keyOf(text: string): string }> = {
  id: { textOf: ({ id }) => id, keyOf: (text) => text },
  host: { textOf: ({ hostname }) => hostname, keyOf: naturalKey },
  ip: { textOf: ({ ip_address }) => ip_address, keyOf: naturalKey },
  region: { textOf: ({ region }) => region || null, keyOf: naturalKey },
  tenant: { textOf: ({ client_id, client_name }) => client_name ?? client_id, keyOf: naturalKey },
  version: { textOf: ({ version }) => version, keyOf: versionKey },
};

/** What divides a fleet; the number 0 is for nodes that have none. */
export type CodedColumn = "region" | "version" | "client" | "group";

/** Nodes that are read at one go. */
const SLICE = 2_048;

/** Texts that a search looks through, apart; nobody can type what parts them. */
const PART = "\u0000";
const searchTexts = new WeakMap<NodeFacts, string>();

function searchTextOf(facts: NodeFacts): string {
  const known = searchTexts.get(facts);
  if (known !== undefined) return known;
  const { hostname, ip_address, public_ip, ip_addresses, tags, region, zone, cloud_provider } = facts;
  const parts = [hostname, ip_address, public_ip, ...ip_addresses, ...tags, region, zone, cloud_provider];
  const text = parts.join(PART).toLowerCase();
  searchTexts.set(facts, text);
  return text;
}

/**
 * A workspace's nodes as scans need them: by position, facts as numbers. Kept from one question to the next; only what
 * changed is read again. Good until the next `refresh`, so use it without waiting in between.
 */
export interface NodeIndex {
  readonly size: number;
  readonly facts: readonly NodeFacts[];
  /** The numbers under which the live store keeps figures. */
  readonly no: Uint32Array;
  /** Lower case. */
  readonly text: readonly string[];
  code(column: CodedColumn): Uint32Array;
  names(column: CodedColumn): Names;
  /** Sorts as the column does; NaN where a node has nothing there. */
  rank(column: FactColumn): Float64Array;
  /** All positions, sorted by the column and then by id; nodes that have nothing there come last. */
  order(column: FactColumn): Uint32Array;
  positionOf(id: string): number | null;
}

interface Coded {
  codes: Uint32Array;
  names: Names;
}

interface Ranked {
  ranks: Ranks;
  /** Null until somebody sorts by it. */
  values: Float64Array | null;
  /** Sorted positions; null until somebody asks, and whenever they may have changed. */
  order: Uint32Array | null;
  /** While the ranks are made for the first time. */
  learning: Promise<void> | null;
}

const newCoded = (): Coded => ({ codes: new Uint32Array(0), names: createNames() });
const newCodes = () => ({ region: newCoded(), version: newCoded(), client: newCoded(), group: newCoded() });

/** A longer copy of a column; some room is left for what comes next. */
function grow<T extends Uint32Array | Float64Array>(column: T, size: number, make: (length: number) => T): T {
  if (column.length >= size) return column;
  const longer = make(Math.ceil(size * 1.25));
  longer.set(column);
  return longer;
}

class Index implements NodeIndex {
  facts: NodeFacts[] = [];
  no: Uint32Array = new Uint32Array(0);
  text: string[] = [];
  #version = -1;
  #coded: Record<CodedColumn, Coded> = newCodes();
  readonly #ranked = new Map<FactColumn, Ranked>();
  readonly #positions = new Map<string, number>();
  /** Positions in the order in which nodes were told last, and each position's place there. */
  #order: Uint32Array = new Uint32Array(0);
  #place: Uint32Array = new Uint32Array(0);
  /** Whether another node than before is at some position. */
  #isMoved = false;
  #loading: Promise<void> | null = null;

  get size(): number {
    return this.facts.length;
  }

  /** Reads a fleet that is new here in slices, so that nobody waits for a large one; who comes meanwhile waits along. */
  async load(fleet: TenantFleet): Promise<void> {
    if (fleet.nodes().length < this.size + SLICE) return;
    this.#loading ??= this.#loadSlices(fleet.nodes()).finally(() => {
      this.#loading = null;
    });
    await this.#loading;
  }

  async #loadSlices(nodes: readonly NodeFacts[]): Promise<void> {
    this.#reserve(nodes.length);
    for (const [index, facts] of nodes.entries()) {
      if (index % SLICE === SLICE - 1) await setImmediate();
      if (!this.#positions.has(facts.id)) this.#put(this.size, facts);
    }
  }

  /** Reads what changed since the last time; a node keeps its position, whatever the order it is told in. */
  refresh(fleet: TenantFleet): void {
    const version = fleet.version();
    if (version === this.#version) return;
    this.#version = version;
    const nodes = fleet.nodes();
    this.#reserve(this.size + nodes.length);
    const changed = new Set<number>();
    const told = new Uint8Array(this.size + nodes.length);
    const order = new Uint32Array(nodes.length);
    // How far the places in the list moved since the last time: by one for each node that went before.
    let shift = 0;
    for (let index = 0; index < nodes.length; index++) {
      const facts = nodes[index];
      if (!facts) continue;
      let position = this.#order[index + shift] ?? 0;
      if (this.facts[position] !== facts) {
        const known = this.#positions.get(facts.id);
        position = known ?? this.size;
        if (known !== undefined) shift = (this.#place[known] ?? index) - index;
        if (this.facts[position] !== facts) {
          this.#put(position, facts);
          changed.add(position);
        }
      }
      told[position] = 1;
      order[index] = position;
    }
    this.#order = order;
    for (let index = 0; index < order.length; index++) this.#place[order[index] ?? 0] = index;
    this.#dropUntold(told, changed);
    if (Object.values(this.#coded).some(({ names }) => names.size() > nodes.length + SLICE)) this.#encodeAnew();
    this.#rankAnew([...changed].filter((position) => position < this.size));
    this.#isMoved = false;
  }

  #reserve(size: number): void {
    this.no = grow(this.no, size, (length) => new Uint32Array(length));
    this.#place = grow(this.#place, size, (length) => new Uint32Array(length));
    for (const coded of Object.values(this.#coded))
      coded.codes = grow(coded.codes, size, (length) => new Uint32Array(length));
  }

  #put(position: number, facts: NodeFacts): void {
    if (this.facts[position]?.id !== facts.id) this.#isMoved = true;
    this.facts[position] = facts;
    this.no[position] = facts.no;
    this.text[position] = searchTextOf(facts);
    this.#positions.set(facts.id, position);
    this.#encode(position, facts);
  }

  /** Nodes that went leave no hole: the last one takes their position. */
  #dropUntold(told: Uint8Array, changed: Set<number>): void {
    for (let position = this.size - 1; position >= 0; position--) {
      if (told[position] === 1) continue;
      const gone = this.facts[position];
      const last = this.facts.pop();
      this.#isMoved = true;
      this.text.pop();
      if (gone) this.#positions.delete(gone.id);
      if (!last || last === gone) continue;
      const place = this.#place[this.size] ?? 0;
      this.#put(position, last);
      this.#order[place] = position;
      this.#place[position] = place;
      changed.add(position);
    }
  }

  #encodeAnew(): void {
    this.#coded = newCodes();
    this.#reserve(this.size);
    for (const [position, facts] of this.facts.entries()) this.#encode(position, facts);
  }

  #encode(position: number, facts: NodeFacts): void {
    const { region, version, client, group } = this.#coded;
    region.codes[position] = region.names.codeOf(facts.region);
    version.codes[position] = version.names.codeOf(facts.version);
    client.codes[position] = client.names.codeOf(facts.client_id);
    group.codes[position] = group.names.codeOf(facts.group_id);
  }

  /** Puts what changed into the columns that somebody sorted by; a column without room left is made anew when asked for. */
  #rankAnew(changed: readonly number[]): void {
    for (const [column, ranked] of this.#ranked) {
      if (ranked.order && !this.#isStill(column, ranked, changed)) ranked.order = null;
      if (!ranked.values) continue;
      const values = grow(ranked.values, this.size, (length) => new Float64Array(length));
      ranked.values = this.#patch(column, ranked.ranks, values, changed) ? values : null;
    }
  }

  /** True when none of what changed moves in the order of a column. */
  #isStill(column: FactColumn, { ranks, values, order }: Ranked, changed: readonly number[]): boolean {
    if (this.#isMoved || order?.length !== this.size || changed.length > 1_000) return false;
    return changed.every((position) => {
      const facts = this.facts[position];
      return facts !== undefined && ranks.ofOne(RANKED[column].textOf(facts)) === values?.[position];
    });
  }

  #patch(column: FactColumn, ranks: Ranks, values: Float64Array, changed: readonly number[]): boolean {
    // Many single insertions cost more than sorting all.
    if (changed.length > 1_000) return false;
    for (const position of changed) {
      const facts = this.facts[position];
      const rank = facts ? ranks.ofOne(RANKED[column].textOf(facts)) : null;
      if (rank === null) return false;
      values[position] = rank;
    }
    return true;
  }

  code(column: CodedColumn): Uint32Array {
    return this.#coded[column].codes;
  }

  names(column: CodedColumn): Names {
    return this.#coded[column].names;
  }

  /** Makes ready to sort by a column for the first time, in slices. */
  async learn(column: FactColumn): Promise<void> {
    const ranked = this.#rankedBy(column);
    if (ranked.values || this.size < SLICE) return;
    ranked.learning ??= this.#learnRanks(column, ranked);
    await ranked.learning;
  }

  async #learnRanks(column: FactColumn, ranked: Ranked): Promise<void> {
    await ranked.ranks.learn(this.facts.map(RANKED[column].textOf), setImmediate);
    ranked.values = null;
    ranked.learning = null;
  }

  #rankedBy(column: FactColumn): Ranked {
    const known = this.#ranked.get(column);
    if (known) return known;
    const fresh: Ranked = { ranks: createRanks(RANKED[column].keyOf), values: null, order: null, learning: null };
    this.#ranked.set(column, fresh);
    return fresh;
  }

  rank(column: FactColumn): Float64Array {
    const ranked = this.#rankedBy(column);
    ranked.values ??= ranked.ranks.ofAll(this.facts.map(RANKED[column].textOf));
    return ranked.values;
  }

  order(column: FactColumn): Uint32Array {
    const ranks = this.rank(column);
    const ties = this.rank("id");
    const ranked = this.#rankedBy(column);
    if (ranked.order) return ranked.order;
    const keys = Float64Array.from(ranks.subarray(0, this.size), (rank) => (Number.isNaN(rank) ? Infinity : rank));
    ranked.order = Uint32Array.from(keys.keys());
    sortRange(ranked.order, keys, ties, 0, this.size);
    return ranked.order;
  }

  positionOf(id: string): number | null {
    return this.#positions.get(id) ?? null;
  }
}

const indexes = new WeakMap<TenantFleet, Index>();

function existing(fleet: TenantFleet): Index {
  const known = indexes.get(fleet);
  if (known) return known;
  const fresh = new Index();
  indexes.set(fleet, fresh);
  return fresh;
}

/** The index of a fleet as it is now. */
export function indexOf(fleet: TenantFleet): NodeIndex {
  const index = existing(fleet);
  index.refresh(fleet);
  return index;
}

/** Makes the index of a large fleet ready in slices; without it the first question would hold everybody up. */
export async function prepareIndex(fleet: TenantFleet, columns: readonly FactColumn[]): Promise<void> {
  const index = existing(fleet);
  await index.load(fleet);
  index.refresh(fleet);
  for (const column of columns) await index.learn(column);
}
