import { useEffect, useState } from "preact/hooks";
import type { SavedView } from "../../../../src/panel/fleet/fleet/views-contract.ts";
import { api } from "../../client/api.ts";
import { filterOf, toParameters } from "./filter.ts";

const everyMs = 30_000;

/** How many nodes each view has now, by its query: one small question after another, and none while nobody looks. */
export function useViewCounts(views: readonly SavedView[]): ReadonlyMap<string, number> {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const key = JSON.stringify(views.map(({ query }) => query));
  useEffect(() => {
    const abort = new AbortController();
    const count = async (): Promise<void> => {
      if (document.visibilityState === "hidden") return;
      for (const { query } of views) {
        const total = await countOf(query, abort.signal).catch(() => null);
        if (abort.signal.aborted) return;
        if (total !== null) setCounts((now) => new Map(now).set(query, total));
      }
    };
    void count();
    const timer = setInterval(() => void count(), everyMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [key]);
  return counts;
}

async function countOf(query: string, signal: AbortSignal): Promise<number> {
  const wanted = toParameters(filterOf(new URLSearchParams(query)));
  return (await api("GET /api/fleet/instances/page", { query: { ...wanted, per_page: 1 }, signal })).total;
}
