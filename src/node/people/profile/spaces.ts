import { isRecord, parseJson } from "../../../lib/json.ts";
import { MAX_CHANGED, type SpaceChanges, type Spaces } from "./contract.ts";

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

/** True when an account would keep more than its share, as changes add up. */
export function isTooMuch(spaces: Spaces): boolean {
  const sizes = Object.values(spaces).map((blocks) => Object.keys(blocks).length);
  return sizes.length > MAX_CHANGED || sizes.some((size) => size > MAX_CHANGED);
}

/** Lays changes over what is stored: null takes a block, a space or everything back. Empty spaces vanish. */
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
  return Object.fromEntries(filled.map(([space, blocks]) => [space, Object.fromEntries(blocks)]));
}
