import { signal } from "@preact/signals";
import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";

/** What is done to more nodes than this at once is not meant for a list. */
export const selectionLimit = 10_000;

/** Nodes that were selected, by id; they stay selected while the filter changes. */
export const selected = signal<ReadonlyMap<string, Instance>>(new Map());

/** Takes a node in or out; false when no more can be taken in. */
export function toggle(row: Instance): boolean {
  const next = new Map(selected.peek());
  if (!next.delete(row.id)) {
    if (next.size >= selectionLimit) return false;
    next.set(row.id, row);
  }
  selected.value = next;
  return true;
}

/** Takes all of these in, as far as there is room. */
export function add(rows: readonly Instance[]): void {
  const next = new Map(selected.peek());
  for (const row of rows) if (next.size < selectionLimit) next.set(row.id, row);
  selected.value = next;
}

/** Lets go of these, or of all. */
export function drop(rows?: readonly Pick<Instance, "id">[]): void {
  const next = new Map(rows === undefined ? [] : selected.peek());
  for (const { id } of rows ?? []) next.delete(id);
  selected.value = next;
}
