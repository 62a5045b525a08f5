/** Something that must come after others of the same list. */
export interface Ordered {
  readonly name: string;
  readonly dependsOn: ReadonlyArray<{ readonly service: string }>;
}

/** A topological order, or the names of one cycle with the first repeated at the end. */
export type Ordering<Item> =
  | { readonly kind: "ordered"; readonly items: readonly Item[] }
  | { readonly kind: "cycle"; readonly names: readonly string[] };

/** Orders items so that each comes after what it depends on and else stays where it is; unknown names are ignored. */
export function orderByDependency<Item extends Ordered>(items: readonly Item[]): Ordering<Item> {
  const byName = new Map(items.map((item) => [item.name, item]));
  const ordered = new Set<Item>();
  const path: string[] = [];
  // Asked for each edge: looking along the path instead takes minutes for a long chain.
  const onPath = new Set<string>();

  const visit = (item: Item): readonly string[] | null => {
    if (ordered.has(item)) return null;
    if (onPath.has(item.name)) return [...path.slice(path.indexOf(item.name)), item.name];
    path.push(item.name);
    onPath.add(item.name);
    for (const { service } of item.dependsOn) {
      const next = byName.get(service);
      const cycle = next === undefined ? null : visit(next);
      if (cycle !== null) return cycle;
    }
    path.pop();
    onPath.delete(item.name);
    ordered.add(item);
    return null;
  };

  for (const item of items) {
    const cycle = visit(item);
    if (cycle !== null) return { kind: "cycle", names: cycle };
  }
  return { kind: "ordered", items: [...ordered] };
}
