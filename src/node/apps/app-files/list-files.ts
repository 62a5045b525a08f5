import { toAnyIso } from "../../../lib/clock.ts";
import { runScript } from "./carrier.ts";
import type { FileEntry, FileList } from "./contract.ts";
import type { Own } from "./needs.ts";
import { type Place, pathOf } from "./place.ts";
import { listScript } from "./scripts.ts";

const MOST_ENTRIES = 5_000;

const KINDS: Record<number, FileEntry["kind"]> = { 32768: "file", 16384: "folder", 40960: "link" };
const RECORD = /^ ([0-9a-f]+) (\d+) (-?\d+) \.\/([\s\S]+)\n$/;

function readRecord(text: string): FileEntry | null {
  const [, mode = "", size = "", time = "", name = ""] = RECORD.exec(text) ?? [];
  if (name === "") return null;
  const bits = Number.parseInt(mode, 16);
  return {
    name,
    kind: KINDS[bits & 0xf000] ?? "other",
    size_bytes: Number(size),
    modified_at: toAnyIso(Number(time) * 1000),
    mode: (bits & 0o7777).toString(8),
  };
}

/** Reads what `listScript` wrote: folders first, then by name. What was cut off in the middle is left out. */
export function readListing(output: string, mark: string): Pick<FileList, "entries" | "is_cut"> {
  const [, ...records] = output.split(mark);
  const entries = records.map(readRecord);
  const whole = entries.filter((entry) => entry !== null);
  const rank = ({ kind }: FileEntry) => (kind === "folder" ? 0 : 1);
  const sorted = whole.toSorted((left, right) => rank(left) - rank(right) || left.name.localeCompare(right.name));
  return {
    entries: sorted.slice(0, MOST_ENTRIES),
    is_cut: whole.length < entries.length || whole.length > MOST_ENTRIES,
  };
}

/** What is in a folder of a volume. Throws what `GET /api/apps/{id}/files` answers. */
export function listFiles(own: Own, place: Place): Promise<FileList> {
  const mark = own.ids.next("mark");
  return own.enter(() =>
    runScript(own, place, listScript(mark), async ({ output }) => ({
      volume: place.volume.name,
      path: pathOf(place),
      ...readListing(output, mark),
    })),
  );
}
