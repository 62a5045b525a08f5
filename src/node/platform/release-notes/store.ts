import type { Store } from "../../../kernel/db/store.ts";

/** A row of `release_notes`; `items` is a JSON list of texts. */
export interface NoteRow {
  id: string;
  version: string;
  title: string;
  summary: string;
  published_at: string;
  items: string;
  fetched_at: string;
}

export function listNotes(db: Store): NoteRow[] {
  return db.raw.query<NoteRow, []>("SELECT * FROM release_notes").all();
}

export function findNote(db: Store, version: string): NoteRow | null {
  return db.raw.query<NoteRow, [string]>("SELECT * FROM release_notes WHERE version = ?").get(version);
}

/** Puts these in place of all that there were. */
export function replaceNotes(db: Store, rows: readonly NoteRow[]): void {
  db.tx(() => {
    db.raw.run("DELETE FROM release_notes");
    const insert = db.raw.query(
      `INSERT OR REPLACE INTO release_notes (id, version, title, summary, published_at, items, fetched_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const row of rows) {
      insert.run(row.id, row.version, row.title, row.summary, row.published_at, row.items, row.fetched_at);
    }
  });
}
