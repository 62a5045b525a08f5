import { cutText } from "../../../../lib/cut-text.ts";
import { maskText } from "../../../../lib/mask-secrets.ts";
import { starSecrets } from "../../../../lib/star-secrets.ts";
import type { Engine } from "../../runtime/index.ts";
import { knownSecrets } from "../blueprint/known-secrets.ts";
import type { Own } from "../needs.ts";
import { findApp } from "../store.ts";

const LINES = 50;
const LONGEST_LINE = 1_000;
const MOST_LETTERS = 16_384;
/** So much of a line is looked through for what looks like a secret: it takes its time, and a line may have a quarter of a megabyte. */
const LOOK_AT = 8 * LONGEST_LINE;
/** The word of a crash does not wait longer for its lines. */
const PATIENCE_MS = 400;

/**
 * The last lines as they are kept: bounded, the latest counting most, with stars in place of the app's secrets and of what looks like
 * one.
 */
export function keepWords(lines: readonly string[], secrets: readonly string[]): string[] {
  const kept: string[] = [];
  let letters = 0;
  for (const line of lines.slice(-LINES).toReversed()) {
    // Masked first: half a secret is not found any more.
    const text = cutText(maskText(cutText(starSecrets(line, secrets), LOOK_AT)), LONGEST_LINE);
    letters += text.length;
    if (letters > MOST_LETTERS) break;
    kept.push(text);
  }
  return kept.toReversed();
}

/** What a container wrote last; what has not come after a moment is left out. */
export async function readLastWords(own: Own, engine: Engine, appId: string, containerId: string): Promise<string[]> {
  const stop = new AbortController();
  const cancel = own.clock.after(PATIENCE_MS, () => stop.abort());
  const lines: string[] = [];
  try {
    for await (const { text } of await engine.readLogs(containerId, {
      tail: LINES,
      follow: false,
      signal: stop.signal,
    }))
      lines.push(text);
  } catch (error) {
    own.log.info("the last lines of a crash are not whole", { app_id: appId, error });
  } finally {
    cancel();
  }
  const app = findApp(own.db, appId);
  return keepWords(lines, app === null ? [] : knownSecrets(own, app));
}
