import { parseMoment } from "../../../lib/moment.ts";
import { fail, type NotesQuery, type ReleaseNote } from "./contract.ts";

const DEFAULT_LIMIT = 50;
const VERSION = /^v?(\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?)$/;

const publishedAt = ({ published_at }: ReleaseNote): number => Date.parse(published_at);
const newestFirst = (a: ReleaseNote, b: ReleaseNote): number =>
  publishedAt(b) - publishedAt(a) || Bun.semver.order(b.version, a.version) || (a.id < b.id ? -1 : 1);

/**
 * Published notes, what was published last first; of the same moment the newest version. Those that only few are told come with
 * them where `seesCanary` says so. Throws `release_since_invalid`.
 */
export function listNotes(
  notes: readonly ReleaseNote[],
  { product, since, limit = DEFAULT_LIMIT }: NotesQuery,
  seesCanary: (note: ReleaseNote) => boolean,
): ReleaseNote[] {
  const isLater = since === undefined ? () => true : laterThan(since);
  return notes
    .filter((note) => product === undefined || note.product === product)
    .filter((note) => isLater(note))
    .filter((note) => note.status === "published" || seesCanary(note))
    .sort(newestFirst)
    .slice(0, limit);
}

function laterThan(since: string): (note: ReleaseNote) => boolean {
  const version = VERSION.exec(since)?.[1];
  if (version !== undefined) return (note) => Bun.semver.order(note.version, version) > 0;
  // Left as it is, the plus of a time zone arrives as a blank.
  const moment = parseMoment(since.replace(/ (?=\d\d:\d\d$)/, since.includes("T") ? "+" : " "));
  if (moment === null) throw fail("release_since_invalid");
  return (note) => publishedAt(note) > moment;
}
