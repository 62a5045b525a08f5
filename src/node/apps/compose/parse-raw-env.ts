import type { Lookup } from "./interpolate.ts";
import { findNul } from "./nul.ts";
import type { ComposeProblem } from "./problem.ts";

/**
 * The variables of a text that `env_file:` names with `format: raw`, as `docker run --env-file` reads it: a value is all that
 * follows the first equals sign, with its quotes, its dollar signs and the spaces at its end. A name alone takes its value from
 * the project, and is left out where that has none.
 */
export function parseRawEnv(
  text: string,
  file: string,
  lookup: Lookup,
): { variables: Record<string, string>; problems: ComposeProblem[] } {
  const variables = new Map<string, string>();
  const problems = findNul(text, file);
  for (const [index, whole] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const line = whole.trimStart();
    if (line === "" || line.startsWith("#")) continue;
    const equals = line.indexOf("=");
    const name = equals < 0 ? line : line.slice(0, equals);
    if (name === "" || /[ \t]/.test(name)) {
      const column = whole.length - line.length + 1;
      const next_step = "Write NAME=value; in this format with no space before the equals sign";
      problems.push({
        file,
        line: index + 1,
        column,
        key: name.trim(),
        message: "this line is no variable",
        next_step,
      });
      continue;
    }
    const value = equals < 0 ? lookup(name) : line.slice(equals + 1);
    if (value !== null) variables.set(name, value);
  }
  return { variables: Object.fromEntries(variables), problems };
}
