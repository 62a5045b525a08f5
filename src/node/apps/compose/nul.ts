import type { ComposeProblem } from "./problem.ts";

/** Of a letter that is in no text that anybody means: the system ends every name and path there, whatever else stands behind it. */
export const NUL_PROBLEM = {
  message: "the letter NUL (\\0) is in this text",
  next_step: "Remove it; the system takes nothing for a name that stands behind it",
} as const;

export const hasNul = (text: string): boolean => text.includes("\0");

/** Where the first one stands in a text of lines; nothing where there is none. */
export function findNul(text: string, file: string): ComposeProblem[] {
  const at = text.indexOf("\0");
  if (at < 0) return [];
  const before = text.slice(0, at).split(/\r\n?|\n/);
  return [{ file, line: before.length, column: (before.at(-1) ?? "").length + 1, key: "", ...NUL_PROBLEM }];
}
