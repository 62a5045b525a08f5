import { naturalKey, versionKey } from "../../../lib/natural-key.ts";
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
  /** The refresh that last saw the node at a position. */
  #seen: Uint32Array = new Uint32Array(0);
  #round = 0;

  get size(): number {
    return this.facts.length;
  }

  /** Reads what changed since the last time; a node keeps its position, whatever the order it is told in. */
  refresh(fleet: TenantFleet): void {
    const version = fleet.version();
    if (version === this.#version) return;
    this.#version = version;
    this.#round += 1;
    const nodes = fleet.nodes();
    this.#reserve(this.size + nodes.length);
    const changed = new Set<number>();
    for (const [index, facts] of nodes.entries()) {
      const position = this.facts[index] === facts ? index : (this.#positions.get(facts.id) ?? this.size);
      this.#seen[position] = this.#round;
      if (this.facts[position] === facts) continue;
      this.#place(position, facts);
      changed.add(position);
    }
    this.#dropUnseen(changed);
    if (Object.values(this.#coded).some(({ names }) => names.size() > nodes.length + 1_000)) {
      this.#coded = newCodes();
      this.#reserve(this.size);
      for (const [position, facts] of this.facts.entries()) this.#encode(position, facts);
    }
    this.#rankAnew([...changed].filter((position) => position < this.size));
  }

  #reserve(size: number): void {
    this.no = grow(this.no, size, (length) => new Uint32Array(length));
    this.#seen = grow(this.#seen, size, (length) => new Uint32Array(length));
    for (const coded of Object.values(this.#coded))
      coded.codes = grow(coded.codes, size, (length) => new Uint32Array(length));
  }

  #place(position: number, facts: NodeFacts): void {
    this.facts[position] = facts;
    this.no[position] = facts.no;
    this.text[position] = searchTextOf(facts);
    this.#positions.set(facts.id, position);
    this.#encode(position, facts);
  }

  /** Nodes that went leave no hole: the last one takes their position. */
  #dropUnseen(changed: Set<number>): void {
    for (let position = this.size - 1; position >= 0; position--) {
      if (this.#seen[position] === this.#round) continue;
      const gone = this.facts[position];
      const last = this.facts.pop();
      this.text.pop();
      if (gone) this.#positions.delete(gone.id);
      if (!last || last === gone) continue;
      this.#place(position, last);
      changed.add(position);
    }
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
      if (!ranked.values) continue;
      const values = grow(ranked.values, this.size, (length) => new Float64Array(length));
      ranked.values = this.#patch(column, ranked.ranks, values, changed) ? values : null;
    }
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

  rank(column: FactColumn): Float64Array {
    const { textOf, keyOf } = RANKED[column];
    const ranked = this.#ranked.get(column) ?? { ranks: createRanks(keyOf), values: null };
    ranked.values ??= ranked.ranks.ofAll(this.facts.map(textOf));
    this.#ranked.set(column, ranked);
    return ranked.values;
  }

  positionOf(id: string): number | null {
    return this.#positions.get(id) ?? null;
  }
}

const indexes = new WeakMap<TenantFleet, Index>();

/** The index of a fleet as it is now. */
export function indexOf(fleet: TenantFleet): NodeIndex {
  const index = indexes.get(fleet) ?? new Index();
  indexes.set(fleet, index);
  index.refresh(fleet);
  return index;
}
