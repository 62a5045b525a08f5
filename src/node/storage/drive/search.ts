import { setImmediate } from "node:timers/promises";
import type { NodeFound, PanelReader } from "../../base.ts";
import type { DriveFinds } from "./contract.ts";
import { type Own, present, reachesTop } from "./logic.ts";
import * as store from "./store.ts";

/** What is found at most; who has more says more of the name. */
const MOST = 100;
/** Those with the longest word that are looked at for that: what lies in trashed folders is not found. */
const LOOKED_AT = 1_000;
/** Names that are read before others have their turn. */
const AT_ONCE = 10_000;

/** What has that in its name, a part at a time, with a turn for others after each. */
async function* rowsWith({ db }: Own, userId: string, part: string): AsyncGenerator<store.NodeRow[], void, undefined> {
  for (let from: store.SearchPlace | null = store.SEARCH_BEGINNING; from !== null; ) {
    yield store.searchRows(db, userId, from, AT_ONCE, part);
    from = store.searchPlaceAfter(db, userId, from, AT_ONCE);
    if (from !== null) await setImmediate();
  }
}

/** Says where something lies, from the top down; null for what is in a folder that is in the trash. Folders are looked up once. */
function createPlaces({ db }: Own, userId: string) {
  const known = new Map<string | null, DriveFinds["finds"][number]["path"] | null>();
  return ({ id, parent_id }: store.NodeRow) => {
    const before = known.get(parent_id);
    if (before !== undefined) return before;
    const way = store.listWay(db, userId, id);
    const above = way.slice(1).toReversed();
    const path = reachesTop(way) ? above.map((folder) => ({ id: folder.id, name: folder.name })) : null;
    known.set(parent_id, path);
    return path;
  };
}

/**
 * Files and folders whose name holds these words, or those with a star, with where they lie. One search of an account at a time: the
 * parts of many would leave nobody else a turn.
 */
export const searchNodes = (own: Own, userId: string, query: { q?: string; starred?: boolean }): Promise<DriveFinds> =>
  own.searching(userId, () => search(own, userId, query));

async function search(
  own: Own,
  userId: string,
  { q = "", starred = false }: { q?: string; starred?: boolean },
): Promise<DriveFinds> {
  const words = store
    .foldName(q)
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 8);
  const [longest = "", ...others] = words.toSorted((a, b) => b.length - a.length);
  if (longest === "" && !starred) return { finds: [], more: false };
  const parts = starred
    ? [store.searchStarred(own.db, userId, longest, LOOKED_AT + 1)]
    : rowsWith(own, userId, longest);
  const placeOf = createPlaces(own, userId);
  const finds: DriveFinds["finds"] = [];
  let looked = 0;
  for await (const rows of parts) {
    for (const row of rows) {
      if (looked === LOOKED_AT) return { finds, more: true };
      looked += 1;
      if (!others.every((word) => row.folded.includes(word))) continue;
      const path = placeOf(row);
      if (path === null) continue;
      if (finds.length === MOST) return { finds, more: true };
      finds.push({ node: present(row), path });
    }
  }
  return { finds, more: false };
}

/** What of the reader's own Drive has the words; nothing while the Drive is off. */
export async function findFiles(own: Own, text: string, limit: number, { user_id }: PanelReader): Promise<NodeFound[]> {
  if (user_id === null || own.lists.absences.all().some((absence) => absence("objstore") !== null)) return [];
  const { finds } = await searchNodes(own, user_id, { q: text });
  return finds.slice(0, limit).map(({ node: { id, name, kind }, path }) => {
    const place = path.map((folder) => folder.name).join("/");
    return { id, title: name, snippet: `${kind} in ${place === "" ? "your Drive" : place}` };
  });
}
