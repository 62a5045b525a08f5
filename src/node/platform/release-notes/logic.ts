import type { Outgoing } from "../../../kernel/outgoing/index.ts";
import type { NodeBase } from "../../base.ts";
import { fail, type ReleaseNote } from "./contract.ts";
import { fetchNotes } from "./fetch-notes.ts";
import * as store from "./store.ts";

const present = ({ items, ...note }: store.NoteRow): ReleaseNote => ({ ...note, items: JSON.parse(items) });

/** What was fetched last, newest version first. */
export function readNotes({ db }: Pick<NodeBase, "db">): ReleaseNote[] {
  return store
    .listNotes(db)
    .sort((a, b) => Bun.semver.order(b.version, a.version) || a.id.localeCompare(b.id))
    .map(present);
}

/** The note of one version. Throws `release_note_not_found`. */
export function readNote({ db }: Pick<NodeBase, "db">, version: string): ReleaseNote {
  const row = store.findNote(db, version);
  if (!row) throw fail("release_note_not_found", { version });
  return present(row);
}

/** Fetches the notes from the panel and replaces what there was. Throws `release_notes_unavailable`; then all is kept. */
export async function syncNotes(
  needs: Pick<NodeBase, "db" | "clock" | "lists">,
  outgoing: Outgoing,
): Promise<ReleaseNote[]> {
  store.replaceNotes(needs.db, await fetchNotes(needs, outgoing));
  return readNotes(needs);
}
