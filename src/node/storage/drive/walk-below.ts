import { setImmediate } from "node:timers/promises";
import type { Store } from "../../../kernel/db/store.ts";
import * as store from "./store.ts";

/** What is read or asked for before others have their turn. */
const AT_ONCE = 500;

/** Something that lies in a folder on whatever level. */
export interface Below<As> {
  row: store.NodeRow;
  /** What whoever walks makes of it. */
  as: As;
  /** 1 for what lies in the folder itself. */
  level: number;
}

/**
 * What lies in a folder on all levels and is not in the trash, folders before what is in them, a part at a time and with a turn for others
 * after each. `as` makes something of each, such as a path, of what it made of the folder that it lies in. What changes meanwhile is
 * told as it is or as it was.
 */
export async function* walkBelow<As>(
  db: Store,
  top: store.NodeRow,
  topAs: As,
  as: (row: store.NodeRow, folder: As) => As,
): AsyncGenerator<Below<As>[], void, undefined> {
  const folders = [{ id: top.id, as: topAs, level: 1 }];
  let part: Below<As>[] = [];
  let asked = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let after = "";
    for (let isWhole = false; !isWhole; ) {
      const rows = store.listNamed(db, top.user_id, folder.id, after, AT_ONCE);
      isWhole = rows.length < AT_ONCE;
      after = rows.at(-1)?.name ?? after;
      for (const row of rows) {
        const made = { row, as: as(row, folder.as), level: folder.level };
        part.push(made);
        if (row.is_file === 0) folders.push({ id: row.id, as: made.as, level: folder.level + 1 });
      }
      asked += 1;
      if (part.length + asked < AT_ONCE) continue;
      yield part;
      await setImmediate();
      part = [];
      asked = 0;
    }
  }
  yield part;
}
