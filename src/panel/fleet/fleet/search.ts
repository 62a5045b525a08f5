import { type Actor, may } from "../../actor.ts";
import type { SearchHit, SearchSource } from "../../base.ts";
import { type Instance, PAGE_MAX } from "./contract.ts";
import { queryInstances } from "./list-query.ts";
import type { Own } from "./needs.ts";

/** Finds nodes by a part of their name, address, tags or place, or by their whole id. */
export const searchNodes = (own: Pick<Own, "indexes" | "live" | "clock" | "inScanTurn">): SearchSource => ({
  source: "nodes",
  async find(actor: Actor, text, limit) {
    if (!may(actor, "fleet:read")) return [];
    const { items } = await queryInstances(own, actor, { q: text, per_page: PAGE_MAX });
    return items
      .map((row) => ({ row, rank: nameRank(row.hostname.toLowerCase(), text.toLowerCase()) ?? BY_ANOTHER }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, limit)
      .map(({ row }) => hitOf(row));
  },
});

/** The rank of what was found by something else than its name. */
const BY_ANOTHER = 3;

/** The name itself, then names that begin so, then those with it inside; null for others. Both in small letters. */
export function nameRank(name: string, text: string): 0 | 1 | 2 | null {
  const at = name.indexOf(text);
  if (at < 0) return null;
  if (at > 0) return 2;
  return name.length === text.length ? 0 : 1;
}

const hitOf = ({ id, hostname, status, region, ip_address, tags }: Instance): SearchHit => ({
  id,
  title: hostname,
  snippet: [status, region, ip_address, tags.join(" ")].filter(Boolean).join(", "),
  path: `/nodes/${encodeURIComponent(id)}`,
  icon: "server",
});
