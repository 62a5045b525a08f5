import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { type Download, type Downloads, OutgoingError } from "../outgoing/index.ts";
import type { GrowingFile } from "./file-bytes.ts";
import type { Host } from "./host.ts";
import { RELEASE_LIMITS, SPARE_BYTES } from "./release.ts";

export interface FileDeps {
  host: Host;
  clock: Clock;
  downloads: Downloads;
  /** Told how far it is, in words. */
  say(text: string): void;
  signal: AbortSignal;
}

/** What a small file needs. */
type Line = Pick<FileDeps, "clock" | "downloads" | "signal">;

const TRIES = 6;
const FIRST_WAIT_MS = seconds(1);
/** Percent between two words about how far it is. */
const STEP = 10;

/** A small file, whole. Throws OutgoingError. */
export async function fetchSmall(deps: Line, url: string, maxBytes: number): Promise<Uint8Array> {
  return withTries(deps, async () => {
    const { body } = await deps.downloads.open({ url, maxBytes, signal: deps.signal });
    const parts: Uint8Array[] = [];
    for await (const bytes of body) parts.push(bytes);
    return Buffer.concat(parts);
  });
}

/**
 * Writes the file behind `url`, which is in `folder` and called `title` in what is said, and returns its SHA-256 as hex. Throws
 * OutgoingError, NoSpace, and what the system says about writing.
 */
export async function fetchLarge(deps: FileDeps, url: string, file: GrowingFile, title: string, folder: string) {
  const { downloads, signal, host, say } = deps;
  let hash = createHash("sha256");
  let bytes = 0;
  let etag: string | null = null;
  let told = 0;
  const tell = (total: number | null): void => {
    const percent = total === null ? 0 : Math.floor((100 * bytes) / total / STEP) * STEP;
    if (percent <= told || percent >= 100) return;
    told = percent;
    say(`Fetching ${title}: ${percent} % of ${Math.round((total ?? 0) / 1e6)} MB`);
  };
  say(`Fetching ${title}`);
  await withTries(deps, async () => {
    const from = etag !== null && bytes > 0 ? { bytes, etag } : undefined;
    const download: Download = await downloads.open({ url, maxBytes: RELEASE_LIMITS.program, from, signal });
    etag = download.etag;
    if (download.offset !== bytes) {
      await file.restart();
      hash = createHash("sha256");
      bytes = 0;
      told = 0;
    }
    const missing = (download.total ?? 0) - bytes;
    if (host.freeBytes(folder) < missing + SPARE_BYTES) throw new NoSpace();
    for await (const chunk of download.body) {
      await file.append(chunk);
      hash.update(chunk);
      bytes += chunk.length;
      tell(download.total);
    }
  });
  return hash.digest("hex");
}

/** The file system has no room for the file. */
export class NoSpace extends Error {}

/** Tries again what the line did not let through. */
async function withTries<T>({ clock, signal }: Pick<Line, "clock" | "signal">, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isLine = error instanceof OutgoingError && /^(reset|timeout|connect|dns)$/.test(error.reason);
      const isBusy = error instanceof OutgoingError && (error.status ?? 0) >= 500;
      if (signal.aborted || tries >= TRIES || !(isLine || isBusy)) throw error;
      await clock.sleep(FIRST_WAIT_MS * 2 ** (tries - 1), signal);
    }
  }
}
