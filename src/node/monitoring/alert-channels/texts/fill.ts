import { VARIABLES, type Values } from "./variables.ts";

const VARIABLE = /\{\{([^{}]*)\}\}/g;

const isKnown = (name: string): name is keyof Values => Object.hasOwn(VARIABLES, name);

/** Names in `{{…}}`, blanks around them taken off. */
const namesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].map(([, name = ""]) => name.trim());

/** Names in `{{…}}` that are no variables. */
export const unknownVariables = (text: string): string[] => namesIn(text).filter((name) => !isKnown(name));

function fill(text: string, values: Values): string {
  return text.replace(VARIABLE, (whole, inside: string) => {
    const name = inside.trim();
    return isKnown(name) ? values[name] : whole;
  });
}

/**
 * Puts values in the place of `{{name}}`, in one pass: braces inside a value stay text. A line that names a variable
 * without a value is left out, so that one template serves alerts with and without numbers.
 */
export function fillTemplate(text: string, values: Values): string {
  return text
    .split("\n")
    .filter((line) => namesIn(line).every((name) => !isKnown(name) || values[name] !== ""))
    .map((line) => fill(line, values))
    .join("\n")
    .trim();
}

/** The same for one line: breaks and runs of blanks become one blank. */
export function fillLine(text: string, values: Values): string {
  return fill(text, values).replace(/\s+/g, " ").trim();
}
