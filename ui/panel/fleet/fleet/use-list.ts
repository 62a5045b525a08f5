import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Instance, InstancePage } from "../../../../src/panel/fleet/fleet/contract.ts";
import { api } from "../../client/api.ts";
import { type Sort, sortText } from "./columns.ts";
import { type FleetFilter, toParameters } from "./filter.ts";
import { createPages, type Pages } from "./pages.ts";

/** The largest page that the API gives. */
const pageSize = 200;

/** The nodes of a filter in an order. */
export type NodePages = Pages<Instance, InstancePage>;

/** What is on the page: the list asked for, or while it is on its way the one before. */
export interface FleetList {
  pages: NodePages;
  /** True while the rows are still those of the filter before. */
  isBefore: boolean;
}

function pagesFor(filter: FleetFilter, sort: Sort): NodePages {
  const query = { ...toParameters(filter), sort: sortText(sort), per_page: pageSize };
  return createPages({
    size: pageSize,
    keyOf: (row: Instance) => row.id,
    load: (page, signal) => api("GET /api/fleet/instances/page", { query: { ...query, page }, signal }),
  });
}

/** The list of a filter and an order. With another one the rows stay until the first new ones are there. */
export function useList(filter: FleetFilter, sort: Sort): FleetList {
  const key = JSON.stringify([filter, sort]);
  const wanted = useMemo(() => pagesFor(filter, sort), [key]);
  const shown = useRef(wanted);
  useEffect(() => {
    wanted.want(0, pageSize);
    return wanted.stop;
  }, [wanted]);
  if (wanted.total.value !== null || wanted.problem.value !== null) shown.current = wanted;
  const pages = shown.current.total.value === null ? wanted : shown.current;
  return { pages, isBefore: pages !== wanted };
}

/** The newest figures of some nodes, in whatever order they are listed. */
export async function loadRows(ids: readonly string[]): Promise<Instance[]> {
  const { items } = await api("GET /api/fleet/instances/page", {
    query: { ids: ids.slice(0, pageSize).join(","), per_page: pageSize },
  });
  return items;
}
