/** What is chosen of a list, by ids, and where a range that is chosen next begins. */
export interface Selection {
  ids: ReadonlySet<string>;
  from: string | null;
}

export const NOTHING: Selection = { ids: new Set(), from: null };

/** Chooses one or takes it out; with `isRange` all from the one before to it get what it gets. */
export function toggle(order: readonly string[], { ids, from }: Selection, id: string, isRange: boolean): Selection {
  const isChosen = !ids.has(id);
  const [start, end] = [from === null ? -1 : order.indexOf(from), order.indexOf(id)].toSorted((a, b) => a - b);
  const isWhole = isRange && start !== undefined && start >= 0 && end !== undefined;
  const next = new Set(ids);
  for (const one of isWhole ? order.slice(start, end + 1) : [id]) {
    if (isChosen) next.add(one);
    else next.delete(one);
  }
  return { ids: next, from: id };
}
