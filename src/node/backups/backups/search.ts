import { startThread } from "../../../kernel/thread.ts";
import type { FileFinds, FoundFile } from "./browse-contract.ts";
import { fail } from "./contract.ts";
import { indexFile, isRead, listIndexed } from "./file-index.ts";
import type { Own } from "./needs.ts";
import { listBackups } from "./run-backup.ts";

/** So many people search at a time; each has a thread of its own. */
const MOST_SEARCHES = 2;

/** Volumes whose names are searched, the newest first. */
export interface SearchQuestion {
  /** In small letters. */
  word: string;
  volumes: {
    /** Where its names are kept. */
    file: string;
    /** The same for volumes that have the same in them; null: not known. */
    content: string | null;
    app: string;
    app_name: string;
    volume: string;
    backup_id: string;
    backup_at: string;
  }[];
}

/** What was found. */
export interface Found {
  files: FoundFile[];
  has_more: boolean;
}

/** The backups that may have files of apps, the newest first. */
export const listSearchable = (own: Pick<Own, "db" | "clock">) =>
  listBackups(own).filter(({ status, apps }) => status === "completed" && apps.length > 0);

/** Finds names with a word in all backups that were read, each file once with its versions. Throws `backup_searches_crowded`. */
export async function searchFiles(own: Own, word: string): Promise<FileFinds> {
  const { browse } = own;
  const all = listSearchable(own);
  const known = all.filter(({ id }) => isRead(own, id));
  const volumes = known.flatMap(({ id, started_at }) =>
    listIndexed(own, id).map(({ app, app_name, volume, content = null }, at) => ({
      ...{ file: indexFile(own, id, at), content, app, app_name, volume },
      ...{ backup_id: id, backup_at: started_at },
    })),
  );
  if (browse.searches >= MOST_SEARCHES) throw fail("backup_searches_crowded");
  browse.searches += 1;
  const thread = startThread<SearchQuestion, Found>("node/backups/backups/search-thread");
  try {
    const found = await thread.ask({ word: word.toLowerCase(), volumes });
    const unread = all.filter(({ id }) => !isRead(own, id)).map(({ id }) => id);
    return { ...found, searched: known.length, unread, reading: browse.all?.op_id ?? null };
  } finally {
    browse.searches -= 1;
    thread.end();
  }
}
