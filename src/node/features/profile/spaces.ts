import { kernelFail } from "../../../kernel/http/errors.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { SpaceChanges, Spaces } from "./contract.ts";

/** Reads stored switches; anything that is none is left out. */
export function parseSpaces(text: string): Spaces {
  const stored = parseJson(text);
  if (!isRecord(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored).map(([space, blocks]) => [
      space,
      Object.fromEntries(
        Object.entries(isRecord(blocks) ? blocks : {}).flatMap(([block, shown]) =>
          typeof shown === "boolean" ? [[block, shown] as const] : [],
        ),
      ),
    ]),
  );
}

/** Most spaces of a user, and most blocks of a space. */
const MOST = 40;

/**
 * Lays changes over what is stored: null takes a block, a space or everything back. Empty spaces vanish. Throws
 * `invalid_request` when there would be more than forty spaces, or blocks in one.
 */
export function changeSpaces(stored: Spaces, changes: SpaceChanges | null): Spaces {
  if (changes === null) return {};
  const next = new Map(Object.entries(stored).map(([space, blocks]) => [space, new Map(Object.entries(blocks))]));
  for (const [space, blocks] of Object.entries(changes)) {
    const kept = next.get(space) ?? new Map<string, boolean>();
    if (blocks === null) kept.clear();
    for (const [block, shown] of Object.entries(blocks ?? {})) {
      if (shown === null) kept.delete(block);
      else kept.set(block, shown);
    }
    next.set(space, kept);
  }
  const filled = [...next].filter(([, blocks]) => blocks.size > 0);
  if (filled.length > MOST || filled.some(([, blocks]) => blocks.size > MOST)) {
    throw kernelFail("invalid_request", { field: "spaces", reason: `can have ${MOST} spaces of ${MOST} blocks` });
  }
  return Object.fromEntries(filled.map(([space, blocks]) => [space, Object.fromEntries(blocks)]));
}
