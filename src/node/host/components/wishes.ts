import * as fs from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson } from "../../../lib/json.ts";

/** Which pieces are wanted and which are not, by their keys; what nobody decided has no entry. */
export type Wishes = Readonly<Record<string, boolean>>;

/** The file with what is wanted, or why it cannot be read. */
export type WishFile = { wishes: Wishes; error: null } | { wishes: Wishes; error: string };

const NAME = "components.json";

/** Reads what is wanted; nothing is while there is no file. */
export function readWishes(dataDir: string): WishFile {
  const path = join(dataDir, NAME);
  let text: string;
  try {
    // Every request about a component asks, mostly where there is no file; to throw and catch that costs more than the rest of it.
    if (fs.statSync(path, { throwIfNoEntry: false }) === undefined) return { wishes: {}, error: null };
    text = fs.readFileSync(path, "utf8");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? { wishes: {}, error: null } : { wishes: {}, error: `${path} cannot be read: ${String(error)}` };
  }
  const parsed = parseJson(text);
  const given = isRecord(parsed) ? parsed["components"] : null;
  if (!isRecord(given)) return { wishes: {}, error: `${path} is damaged: it is no list of components` };
  const wishes: Record<string, boolean> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "boolean")
      return { wishes: {}, error: `${path} is damaged: ${key} is neither true nor false` };
    wishes[key] = value;
  }
  return { wishes, error: null };
}

/** Replaces the file as one; a damaged one stays beside it for whoever wants to look. */
export function writeWishes(dataDir: string, wishes: Wishes, isDamaged: boolean): void {
  const path = join(dataDir, NAME);
  if (isDamaged) fs.renameSync(path, `${path}.damaged`);
  const file = fs.openSync(`${path}.new`, "w", 0o600);
  try {
    fs.writeSync(file, `${JSON.stringify({ components: wishes }, null, 2)}\n`);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(`${path}.new`, path);
}
