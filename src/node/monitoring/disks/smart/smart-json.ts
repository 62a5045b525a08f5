import { isRecord } from "../../../../lib/json.ts";

/** A part of smartctl's JSON, read without trust: what is missing or of another kind is null. */
export interface Part {
  at(...path: string[]): Part;
  number(): number | null;
  text(): string | null;
  flag(): boolean | null;
  items(): Part[];
  fields(): [string, Part][];
}

/** Wraps any value. */
export function partOf(value: unknown): Part {
  return {
    at: (...path) => partOf(path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)),
    number: () => (typeof value === "number" && Number.isFinite(value) ? value : null),
    text: () => (typeof value === "string" && value.trim() !== "" ? value.trim() : null),
    flag: () => (typeof value === "boolean" ? value : null),
    items: () => (Array.isArray(value) ? value.map(partOf) : []),
    fields: () => (isRecord(value) ? Object.entries(value).map(([key, inner]) => [key, partOf(inner)]) : []),
  };
}
