import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import { api } from "../../client/api.ts";
import { type FleetFilter, toParameters } from "./filter.ts";
import { selectionLimit } from "./selection.ts";

/** The largest page that the API gives. */
const pageSize = 200;

/**
 * Every node of a filter as it is now, as far as so many can be selected; `onPart` hears how many have come. One page after another and in
 * one order, so that none is missed.
 */
export async function loadAll(
  filter: FleetFilter,
  signal: AbortSignal,
  onPart: (loaded: number) => void,
): Promise<Instance[]> {
  const found = new Map<string, Instance>();
  for (let page = 1; found.size < selectionLimit; page += 1) {
    const query = { ...toParameters(filter), sort: "host", per_page: pageSize, page };
    const { items } = await api("GET /api/fleet/instances/page", { query, signal });
    for (const row of items) found.set(row.id, row);
    onPart(found.size);
    if (items.length < pageSize) break;
  }
  return [...found.values()].slice(0, selectionLimit);
}
