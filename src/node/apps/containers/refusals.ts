import { EngineError } from "../runtime/index.ts";
import { fail } from "./contract.ts";

/** Turns what the engine says against it into words for people; anything else stays as it is. */
export async function orRefused<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof EngineError) || error.status === 0) throw error;
    const reason = error.message.trim();
    throw fail("engine_refused", { reason: /[.!?]$/.test(reason) ? reason : `${reason}.` });
  }
}

/** Names for a sentence: "a", "a and b", "a, b and 3 more". */
export function listNames(names: readonly string[]): string {
  const [first = "", second = "", ...more] = names;
  if (names.length <= 2) return names.join(" and ");
  return `${first}, ${second} and ${more.length} more`;
}
