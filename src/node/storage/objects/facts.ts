import { isRecord, parseJson } from "../../../lib/json.ts";
import { type Algorithm, algorithmOf } from "./checksums.ts";

/** What is kept of the parts that an object came in. */
export interface PartFacts {
  /** The upload that made the object; null for a copy. Whoever says the end of that upload once more is told the same. */
  upload: string | null;
  /** Of the sums of the parts; null where they have none. */
  algorithm: Algorithm | null;
  /** All of these sums in their order, one after the other, as one base64. */
  sums: string;
}

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
  /** Only of an object that a program sent in parts. */
  parts?: PartFacts;
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

function readParts(value: unknown): PartFacts | null {
  if (!isRecord(value)) return null;
  const { upload, algorithm, sums } = value;
  return {
    upload: typeof upload === "string" ? upload : null,
    algorithm: typeof algorithm === "string" ? algorithmOf(algorithm) : null,
    sums: typeof sums === "string" ? sums : "",
  };
}

/** Reads what `JSON.stringify` made of facts. */
export function readFacts(text: string): Facts {
  const given = parseJson(text);
  if (!isRecord(given)) return noFacts();
  const parts = readParts(given["parts"]);
  return {
    type: typeof given["type"] === "string" ? given["type"] : "application/octet-stream",
    headers: texts(given["headers"]),
    meta: texts(given["meta"]),
    tags: texts(given["tags"]),
    sums: texts(given["sums"]),
    ...(parts === null ? {} : { parts }),
  };
}
