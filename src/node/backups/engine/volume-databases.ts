import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { findDatabaseDamage } from "./copy-database-store.ts";
import { walkTar } from "./tar-walk.ts";

const MAGIC = Buffer.from("SQLite format 3\0");
/** Files that belong to a database that was in use. */
const COMPANIONS = ["-wal", "-journal"];
/** SQLite cannot judge what needs a module or an order of letters that only its app has. */
const NOT_OURS = /no such (module|collation|function|tokenizer)/i;
const MOST_NOTES = 20;

async function writeTo(path: string, first: Uint8Array, rest: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(first);
    for await (const piece of rest) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

function judge(path: string): string | null {
  try {
    return findDatabaseDamage(path);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return NOT_OURS.test(said) ? null : said;
  }
}

/**
 * Finds the SQLite databases in a volume's archive by how they begin, and opens each as its app would after a restore. Answers what is
 * wrong with them, in sentences; the archive is read to its end. One that is larger than `room`, in bytes, is not opened.
 */
export async function checkVolumeDatabases(
  archive: AsyncIterable<Uint8Array>,
  volume: string,
  scratch: string,
  room: number,
): Promise<string[]> {
  const path = join(scratch, "volume.db");
  const notes: string[] = [];
  let current: string | null = null;
  const note = (sentence: string): void => {
    if (notes.length < MOST_NOTES) notes.push(sentence);
  };
  const finish = async (): Promise<void> => {
    const damage = current === null ? null : judge(path);
    if (damage !== null) note(`${current} in ${volume} is no whole SQLite database: ${damage.slice(0, 200)}.`);
    current = null;
    for (const ending of ["", "-shm", ...COMPANIONS]) await rm(`${path}${ending}`, { force: true });
  };
  try {
    for await (const { name, size, bytes } of walkTar(archive)) {
      const companion = COMPANIONS.find((ending) => current !== null && name === `${current}${ending}`);
      // Archives have what belongs to a file right behind it.
      if (companion === undefined && !COMPANIONS.concat("-shm").some((ending) => name.endsWith(ending))) await finish();
      if (companion !== undefined) {
        await writeTo(`${path}${companion}`, new Uint8Array(), bytes);
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
      if (size > room) {
        note(`${name} in ${volume} was read and not opened: this server's disk has too little room for it.`);
        continue;
      }
      await writeTo(path, head, bytes);
      current = name;
    }
  } finally {
    await finish();
  }
  return notes;
}
