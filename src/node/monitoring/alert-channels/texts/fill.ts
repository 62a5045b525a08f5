import { VARIABLES, type Values } from "./variables.ts";

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

const isKnown = (name: string): name is keyof Values => Object.hasOwn(VARIABLES, name);

/** Names in `{{…}}` that are no variables. */
export function unknownVariables(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map((match) => match[1] ?? "").filter((name) => !isKnown(name));
}

/**
 * Puts values in the place of `{{name}}`, in one pass: braces inside a value stay text. A line that names a variable
 * without a value is left out, so that one template serves alerts with and without numbers.
 */
export function fillTemplate(text: string, values: Values): string {
  return text
    .split("\n")
    .filter((line) => [...line.matchAll(VARIABLE)].every(([, name = ""]) => !isKnown(name) || values[name] !== ""))
    .map((line) => line.replace(VARIABLE, (whole, name: string) => (isKnown(name) ? values[name] : whole)))
    .join("\n")
    .trim();
}

/** The same for one line: breaks and runs of blanks become one blank. */
export function fillLine(text: string, values: Values): string {
  const filled = text.replace(VARIABLE, (whole, name: string) => (isKnown(name) ? values[name] : whole));
  return filled.replace(/\s+/g, " ").trim();
}
