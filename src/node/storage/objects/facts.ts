import { isRecord, parseJson } from "../../../lib/json.ts";

/** What is kept of an object besides its bytes. */
export interface Facts {
  type: string;
  /** Headers that it is answered with, such as cache-control, by their small names. */
  headers: Record<string, string>;
  /** What its owner noted: x-amz-meta-… without that beginning. */
  meta: Record<string, string>;
  tags: Record<string, string>;
  /** Sums in base64 by their algorithm, as they were checked when it came. */
  sums: Record<string, string>;
}

/** An object of which nothing is known but its bytes. */
export const noFacts = (type = "application/octet-stream"): Facts => ({
  type,
  headers: {},
  meta: {},
  tags: {},
  sums: {},
});

function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

/** Reads what `JSON.stringify` made of facts. */
export function readFacts(text: string): Facts {
  const given = parseJson(text);
  if (!isRecord(given)) return noFacts();
  return {
    type: typeof given["type"] === "string" ? given["type"] : "application/octet-stream",
    headers: texts(given["headers"]),
    meta: texts(given["meta"]),
    tags: texts(given["tags"]),
    sums: texts(given["sums"]),
  };
}
