import { versionKey } from "../../../lib/natural-key.ts";
import type { NodeBase } from "../../base.ts";
import { fail, type ReleaseNote } from "./contract.ts";
import { fetchNotes } from "./fetch-notes.ts";
import * as store from "./store.ts";

const present = ({ items, ...note }: store.NoteRow): ReleaseNote => ({ ...note, items: JSON.parse(items) });

/** By any text that a panel calls a version. */
function newestFirst(a: store.NoteRow, b: store.NoteRow): number {
  const [left, right] = [versionKey(a.version), versionKey(b.version)];
  if (left === right) return a.id.localeCompare(b.id);
  return left < right ? 1 : -1;
}

/** What was fetched last, newest version first. */
export function readNotes({ db }: Pick<NodeBase, "db">): ReleaseNote[] {
  return store.listNotes(db).sort(newestFirst).map(present);
}

/** The note of one version. Throws `release_note_not_found`. */
export function readNote({ db }: Pick<NodeBase, "db">, version: string): ReleaseNote {
  const row = store.findNote(db, version);
  if (!row) throw fail("release_note_not_found", { version });
  return present(row);
}

/** Fetches the notes from the panel and replaces what there was. Throws `release_notes_unavailable`; then all is kept. */
export async function syncNotes(needs: Pick<NodeBase, "db" | "clock" | "lists">): Promise<ReleaseNote[]> {
  store.replaceNotes(needs.db, await fetchNotes(needs));
  return readNotes(needs);
}
