/** Numbers for the tags of nodes, the same in whatever case of letters, so that scans compare numbers. */
export interface TagCodes {
  /** By position, each tag of a node once. These lists stay as they are: other tags of a node are another list. */
  readonly codes: readonly Uint32Array[];
  /** The number of a tag; null when no node has it. */
  find(tag: string): number | null;
  /** One more than the highest number. */
  size(): number;
  /** Sets the tags of the node at a position, known or the next one. */
  put(position: number, tags: readonly string[]): void;
  /** Forgets the last position. */
  pop(): void;
}

const NONE = new Uint32Array(0);

/** Of no nodes. The number of a tag that no node has any more goes to the next new one. */
export function createTagCodes(): TagCodes {
  const codes: Uint32Array[] = [];
  const known = new Map<string, number>();
  const names: string[] = [];
  /** How many nodes have each. */
  const uses: number[] = [];
  const free: number[] = [];

  function use(name: string): number {
    const code = known.get(name) ?? free.pop() ?? names.length;
    known.set(name, code);
    names[code] = name;
    uses[code] = (uses[code] ?? 0) + 1;
    return code;
  }

  function drop(code: number): void {
    const left = (uses[code] ?? 0) - 1;
    uses[code] = left;
    if (left > 0) return;
    known.delete(names[code] ?? "");
    names[code] = "";
    free.push(code);
  }

  return {
    codes,
    find: (tag) => known.get(tag.toLowerCase()) ?? null,
    size: () => names.length,
    put(position, tags) {
      const before = codes[position] ?? NONE;
      const distinct = new Set(tags.map((tag) => tag.toLowerCase()));
      codes[position] = distinct.size === 0 ? NONE : Uint32Array.from(distinct, use);
      before.forEach(drop);
    },
    pop() {
      codes.pop()?.forEach(drop);
    },
  };
}
