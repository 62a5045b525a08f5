import { fail, type NotesQuery, type ReleaseNote } from "./contract.ts";

const DEFAULT_LIMIT = 50;
const VERSION = /^v?\d+\.\d+\.\d+/;
const newestFirst = (a: ReleaseNote, b: ReleaseNote): number => Bun.semver.order(b.version, a.version);

/** Published notes, newest version first. Throws `release_since_invalid`. */
export function listNotes(
  notes: readonly ReleaseNote[],
  { product, since, limit = DEFAULT_LIMIT }: NotesQuery,
): ReleaseNote[] {
  const isLater = since === undefined ? () => true : laterThan(since);
  return notes
    .filter((note) => (product === undefined || note.product === product) && isLater(note))
    .sort(newestFirst)
    .slice(0, limit);
}

function laterThan(since: string): (note: ReleaseNote) => boolean {
  if (VERSION.test(since)) {
    const version = since.replace(/^v/, "");
    return (note) => Bun.semver.order(note.version, version) > 0;
  }
  const moment = Date.parse(since);
  if (Number.isNaN(moment) || !/^\d{4}-/.test(since)) throw fail("release_since_invalid");
  return (note) => Date.parse(note.published_at) > moment;
}
