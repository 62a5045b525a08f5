import { shapeOf } from "../../../lib/json.ts";

/** What a document of a target may be at most. */
export interface DocumentBounds {
  bytes: number;
  /** Values and names of them: in memory each takes many times what it takes as text. */
  values: number;
}

/** Brackets in one another; documents of a repository have five. */
const DEEPEST = 8;

/** The JSON of a target; null for what is none, or is more than it may be. It is counted before any of it is parsed. */
export function parseDocument(bytes: Uint8Array, most: DocumentBounds): unknown {
  if (bytes.length > most.bytes) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const { nesting, values } = shapeOf(text);
  if (nesting > DEEPEST || values > most.values) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
