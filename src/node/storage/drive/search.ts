import type { NodeFound, PanelReader } from "../../base.ts";
import type { DriveFinds } from "./contract.ts";
import { type Own, present } from "./logic.ts";
import * as store from "./store.ts";

/** What is found at most; who has more says more of the name. */
const MOST = 100;
/** Rows that are looked at for that: what lies in trashed folders is not found. */
const LOOKED_AT = 1_000;

/** Files and folders whose name holds these words, or those with a star, with where they lie. */
export function searchNodes(
  own: Own,
  userId: string,
  { q = "", starred = false }: { q?: string; starred?: boolean },
): DriveFinds {
  const words = store
    .foldName(q)
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 8);
  const [longest = "", ...others] = words.toSorted((a, b) => b.length - a.length);
  if (longest === "" && !starred) return { finds: [], more: false };
  const rows = store.searchRows(own.db, userId, { part: longest, starred, limit: LOOKED_AT + 1 });
  const finds: DriveFinds["finds"] = [];
  for (const row of rows.slice(0, LOOKED_AT)) {
    if (!others.every((word) => row.folded.includes(word))) continue;
    const [, ...above] = store.listWay(own.db, userId, row.id);
    if (above.some(({ trashed_at }) => trashed_at !== null)) continue;
    if (finds.length === MOST) return { finds, more: true };
    finds.push({ node: present(row), path: above.toReversed().map(({ id, name }) => ({ id, name })) });
  }
  return { finds, more: rows.length > LOOKED_AT };
}

/** What of the reader's own Drive has the words; nothing while the Drive is off. */
export function findFiles(own: Own, text: string, limit: number, { user_id }: PanelReader): NodeFound[] {
  if (user_id === null || own.lists.absences.all().some((absence) => absence("objstore") !== null)) return [];
  const { finds } = searchNodes(own, user_id, { q: text });
  return finds.slice(0, limit).map(({ node: { id, name, kind }, path }) => {
    const place = path.map((folder) => folder.name).join("/");
    return { id, title: name, snippet: `${kind} in ${place === "" ? "your Drive" : place}` };
  });
}
