/** The program of the thread that names are searched in: there may be a hundred million of them. */
import { readFile } from "node:fs/promises";
import { answerQuestions } from "../../../kernel/thread.ts";
import type { FoundFile } from "./browse-contract.ts";
import type { VolumeIndex } from "./browse-state.ts";
import { byPath, nameOf, present } from "./entries.ts";
import type { Found, SearchQuestion } from "./search.ts";

const MOST_FILES = 200;
const MOST_VERSIONS = 100;

/** What a volume has with the word in its name. */
async function findIn(file: string, word: string) {
  const packed = await readFile(file).catch(() => null);
  // It made room for another one a moment ago.
  if (packed === null) return [];
  const { entries }: VolumeIndex = JSON.parse(Buffer.from(await Bun.zstdDecompress(packed)).toString());
  const found = entries.filter(({ path }) => nameOf(path).toLowerCase().includes(word));
  const twins = found.some(({ kind }) => kind === "twin") ? byPath(entries) : new Map<string, never>();
  return found.map((entry) => present(entry, twins));
}

async function search({ word, volumes }: SearchQuestion): Promise<Found> {
  const files = new Map<string, FoundFile>();
  const known = new Map<string, Awaited<ReturnType<typeof findIn>>>();
  let has_more = false;
  for (const { file, content, app, app_name, volume, backup_id, backup_at } of volumes) {
    // What did not change from one backup to the next is read once.
    const same = content === null ? undefined : known.get(content);
    const found = same ?? (await findIn(file, word));
    if (content !== null && found.length <= MOST_FILES) known.set(content, found);
    for (const { size_bytes, changed_at, link, ...named } of found) {
      const key = JSON.stringify([app, volume, named.path, named.kind]);
      const one = files.get(key) ?? { ...named, app, app_name, volume, versions: [], has_more: false };
      if (!files.has(key) && files.size >= MOST_FILES) {
        has_more = true;
        continue;
      }
      files.set(key, one);
      const before = one.versions.find(
        (version) => version.size_bytes === size_bytes && version.changed_at === changed_at,
      );
      if (before) before.backups += 1;
      else if (one.versions.length >= MOST_VERSIONS) one.has_more = true;
      else one.versions.push({ backup_id, backup_at, backups: 1, size_bytes, changed_at, link });
    }
  }
  return { files: [...files.values()], has_more };
}

answerQuestions(search);
