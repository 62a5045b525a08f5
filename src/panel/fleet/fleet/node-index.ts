import { setImmediate } from "node:timers/promises";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import { createNames, type Names } from "./names.ts";
import { createRankedColumns, type FactColumn, type RankedColumns } from "./ranked-columns.ts";
import { createTagCodes, type TagCodes } from "./tag-codes.ts";

/** What divides a fleet; the number 0 is for nodes that have none. */
export type CodedColumn = "region" | "version" | "client" | "group";

/** Nodes that are read at one go. */
const SLICE = 2_048;
/** Texts that a search looks through, apart; nobody can type what parts them. */
const PART = "\u0000";

function searchTextOf(facts: NodeFacts): string {
  const { hostname, ip_address, public_ip, ip_addresses, tags, region, zone, cloud_provider } = facts;
  const parts = [hostname, ip_address, public_ip, ...ip_addresses, ...tags, region, zone, cloud_provider];
  return parts.join(PART).toLowerCase();
}

/** A workspace's nodes as scans need them: by position, facts as numbers. */
export interface IndexedNodes extends Pick<RankedColumns, "rank"> {
  readonly size: number;
  readonly facts: readonly NodeFacts[];
  /** The numbers under which the live store keeps figures. */
  readonly no: Uint32Array;
  /** Lower case. */
  readonly text: readonly string[];
  readonly tags: Pick<TagCodes, "codes" | "find" | "size">;
  code(column: CodedColumn): Uint32Array;
  names(column: CodedColumn): Names;
  positionOf(id: string): number | null;
}

/** Kept from one question to the next; only what changed is read again. Good until the next `indexOf`, so use it without waiting in between. */
export interface NodeIndex extends IndexedNodes, Pick<RankedColumns, "order"> {
  /**
   * A copy, with the ranks of some columns, for who lets others go between its parts. Which numbers texts, tags and ids have, is
   * asked before the first of them goes.
   */
  still(columns: readonly FactColumn[]): IndexedNodes;
}

interface Coded {
  codes: Uint32Array;
  names: Names;
}

const newCoded = (): Coded => ({ codes: new Uint32Array(0), names: createNames() });
const newCodes = () => ({ region: newCoded(), version: newCoded(), client: newCoded(), group: newCoded() });

const mapCoded = (
  { region, version, client, group }: Record<CodedColumn, Coded>,
  change: (coded: Coded) => Coded,
): Record<CodedColumn, Coded> => ({
  region: change(region),
  version: change(version),
  client: change(client),
  group: change(group),
});

/** A column of at least `size`; a longer copy with some room for what comes next when it is shorter. */
function grow(column: Uint32Array, size: number): Uint32Array {
  if (column.length >= size) return column;
  const longer = new Uint32Array(Math.ceil(size * 1.25));
  longer.set(column);
  return longer;
}

class Index implements NodeIndex {
  readonly facts: NodeFacts[] = [];
  readonly text: string[] = [];
  readonly tags = createTagCodes();
  no: Uint32Array = new Uint32Array(0);
  readonly columns = createRankedColumns(this.facts);
  readonly rank = this.columns.rank;
  readonly order = this.columns.order;
  #version = -1;
  #coded: Record<CodedColumn, Coded> = newCodes();
  readonly #positions = new Map<string, number>();
  /** Positions in the order in which nodes were told last, and each position's place there. */
  #told: Uint32Array = new Uint32Array(0);
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
    for (const [index, facts] of nodes.entries()) {
      if (index % SLICE === 0) {
        if (index > 0) await setImmediate();
        this.#reserve(nodes.length);
        this.#told = grow(this.#told, nodes.length);
      }
      if (this.#positions.has(facts.id)) continue;
      this.#told[index] = this.size;
      this.#put(this.size, facts, searchTextOf(facts));
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
    const isTold = new Uint8Array(this.size + nodes.length);
    const told = new Uint32Array(nodes.length);
    // How far the places in the list moved since the last time: by one for each node that went before.
    let shift = 0;
    for (let index = 0; index < nodes.length; index++) {
      const facts = nodes[index];
      if (!facts) continue;
      let position = this.#told[index + shift] ?? 0;
      if (this.facts[position] !== facts) {
        const known = this.#positions.get(facts.id);
        position = known ?? this.size;
        if (known !== undefined) shift = (this.#place[known] ?? index) - index;
        if (this.facts[position] !== facts) {
          this.#put(position, facts, searchTextOf(facts));
          changed.add(position);
        }
      }
      isTold[position] = 1;
      told[index] = position;
    }
    this.#told = told;
    for (let index = 0; index < told.length; index++) this.#place[told[index] ?? 0] = index;
    this.#dropUntold(isTold, changed);
    if (Object.values(this.#coded).some(({ names }) => names.size() > nodes.length + SLICE)) this.#encodeAnew();
    this.columns.update(
      [...changed].filter((position) => position < this.size),
      this.#isMoved,
    );
    this.#isMoved = false;
  }

  #reserve(size: number): void {
    this.no = grow(this.no, size);
    this.#place = grow(this.#place, size);
    for (const coded of Object.values(this.#coded)) coded.codes = grow(coded.codes, size);
  }

  #put(position: number, facts: NodeFacts, text: string): void {
    if (this.facts[position]?.id !== facts.id) {
      this.#isMoved = true;
      this.#positions.set(facts.id, position);
    }
    this.facts[position] = facts;
    this.no[position] = facts.no;
    this.text[position] = text;
    this.tags.put(position, facts.tags);
    this.#encode(position, facts);
  }

  /** Nodes that went leave no hole: the last one takes their position. */
  #dropUntold(isTold: Uint8Array, changed: Set<number>): void {
    for (let position = this.size - 1; position >= 0; position--) {
      if (isTold[position] === 1) continue;
      const gone = this.facts[position];
      const last = this.facts.pop();
      const text = this.text.pop();
      this.tags.pop();
      this.#isMoved = true;
      if (gone) this.#positions.delete(gone.id);
      if (!last || text === undefined || last === gone) continue;
      const place = this.#place[this.size] ?? 0;
      this.#put(position, last, text);
      this.#told[place] = position;
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

  code(column: CodedColumn): Uint32Array {
    return this.#coded[column].codes;
  }

  names(column: CodedColumn): Names {
    return this.#coded[column].names;
  }

  positionOf(id: string): number | null {
    return this.#positions.get(id) ?? null;
  }

  still(columns: readonly FactColumn[]): IndexedNodes {
    const { size, tags } = this;
    const ranks = new Map(columns.map((column) => [column, this.rank(column).slice(0, size)]));
    const coded = mapCoded(this.#coded, ({ names, codes }) => ({ names, codes: codes.slice(0, size) }));
    return {
      size,
      facts: this.facts.slice(),
      no: this.no.slice(0, size),
      text: this.text.slice(),
      tags: { ...tags, codes: tags.codes.slice() },
      code: (column) => coded[column].codes,
      names: (column) => coded[column].names,
      rank: (column) => ranks.get(column) ?? this.rank(column).slice(0, size),
      positionOf: (id) => this.positionOf(id),
    };
  }
}

/** The indexes of all workspaces' fleets, each made when somebody first asks. */
export interface FleetIndexes {
  /** The index of a fleet as it is now. */
  indexOf(fleet: TenantFleet): NodeIndex;
  /** Makes the index of a large fleet ready in slices; without it the first question would hold everybody up. */
  prepareIndex(fleet: TenantFleet, columns: readonly FactColumn[]): Promise<void>;
}

/** No index yet. */
export function createFleetIndexes(): FleetIndexes {
  const indexes = new Map<string, Index>();

  function existing({ tenant_id }: TenantFleet): Index {
    const known = indexes.get(tenant_id);
    if (known) return known;
    const fresh = new Index();
    indexes.set(tenant_id, fresh);
    return fresh;
  }

  return {
    indexOf(fleet) {
      const index = existing(fleet);
      index.refresh(fleet);
      return index;
    },
    async prepareIndex(fleet, columns) {
      const index = existing(fleet);
      await index.load(fleet);
      index.refresh(fleet);
      for (const column of columns) await index.columns.learn(column);
    },
  };
}
