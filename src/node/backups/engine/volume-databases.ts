import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Opened, REASONS, SPARE_SECONDS, secondsFor, type Verdict } from "./judge.ts";
import { walkTar } from "./tar-walk.ts";

const MAGIC = Buffer.from("SQLite format 3\0");
/** Files that belong to a database that was in use. */
const COMPANIONS = ["-wal", "-journal"];
/** How a journal ends that is one of several: it names the file that belongs to all of them. */
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const MOST_NOTES = 20;

/** A database that was found. */
interface Found {
  name: string;
  /** With what belongs to it. */
  bytes: number;
  /** Why it is not opened. */
  bar: "no_room" | "shared" | null;
}

const BARS = {
  no_room: "this server's disk has too little room for it",
  shared: "it was in the middle of a change to several databases at once",
} as const;

async function writeTo(path: string, first: Uint8Array, rest: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(first);
    for await (const piece of rest) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

/** Whether a journal names another file, which SQLite would look for at its path on this machine, and may delete. */
async function namesAnother(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(JOURNAL_MAGIC.length);
    await file.read(end, 0, end.length, Math.max(0, size - end.length));
    return end.equals(JOURNAL_MAGIC);
  } finally {
    await file.close();
  }
}

/**
 * Finds the SQLite databases in a volume's archive by how they begin. Each is given out, to be judged as its app would open it after a
 * restore, before the next one is looked for. Answers what is wrong with them, in sentences; the archive is read to its end. What is larger
 * than `room`, in bytes, is not opened. All of a volume have twenty seconds besides what their sizes may take, so that it holds up no check.
 */
export async function* checkVolumeDatabases(
  archive: AsyncIterable<Uint8Array>,
  volume: string,
  scratch: string,
  room: number,
): AsyncGenerator<Opened, string[], Verdict> {
  const path = join(scratch, "volume.db");
  const notes: string[] = [];
  let current: Found | null = null;
  let seconds = SPARE_SECONDS;
  const note = (sentence: string): void => {
    if (notes.length < MOST_NOTES && !notes.includes(sentence)) notes.push(sentence);
  };
  const clear = async (): Promise<void> => {
    for (const ending of ["", "-shm", ...COMPANIONS]) await rm(`${path}${ending}`, { force: true });
  };
  async function* finish(): AsyncGenerator<Opened, void, Verdict> {
    if (current === null) return;
    const { name, bytes, bar } = current;
    current = null;
    seconds += secondsFor(bytes);
    if (bar !== null) note(`${name} in ${volume} was read and not opened: ${BARS[bar]}.`);
    else if (seconds < 1)
      note(`More databases in ${volume} were read and not judged: those before took all of the time.`);
    else {
      const verdict = yield { path, seconds };
      seconds -= verdict.seconds;
      if ("unjudged" in verdict) note(`${name} in ${volume} was read and not judged: ${REASONS[verdict.unjudged]}.`);
      else if (verdict.damage !== null) note(`${name} in ${volume} is no whole SQLite database: ${verdict.damage}.`);
    }
    await clear();
  }
  try {
    for await (const { name, size, bytes } of walkTar(archive)) {
      const companion = COMPANIONS.find((ending) => current !== null && name === `${current.name}${ending}`);
      // Archives have what belongs to a file right behind it.
      if (companion === undefined && !COMPANIONS.concat("-shm").some((ending) => name.endsWith(ending)))
        yield* finish();
      if (companion !== undefined && current !== null) {
        current.bytes += size;
        if (current.bytes > room) current.bar = "no_room";
        if (current.bar !== null) continue;
        await writeTo(`${path}${companion}`, new Uint8Array(), bytes);
        if (companion === "-journal" && (await namesAnother(`${path}${companion}`))) current.bar = "shared";
        continue;
      }
      if (size < MAGIC.length) continue;
      const first = await bytes.next();
      if (first.done === true) continue;
      let head = Buffer.from(first.value);
      while (head.length < MAGIC.length) {
        const more = await bytes.next();
        if (more.done === true) break;
        head = Buffer.concat([head, more.value]);
      }
      if (!head.subarray(0, MAGIC.length).equals(MAGIC)) continue;
      yield* finish();
      current = { name, bytes: size, bar: size > room ? "no_room" : null };
      if (current.bar === null) await writeTo(path, head, bytes);
    }
    yield* finish();
  } finally {
    await clear();
  }
  return notes;
}
