import { isRecord, parseJson } from "../../../lib/json.ts";

/** How a public bucket answers as a website. */
export interface Website {
  /** What is added to an address that ends with a slash. */
  index: string;
  /** The key that is answered, with 404, where there is no such object; null for none. */
  error: string | null;
}

/** The website of a bucket as it is kept; null for none. */
export function readWebsite(text: string | null): Website | null {
  const given = text === null ? null : parseJson(text);
  if (!isRecord(given) || typeof given["index"] !== "string") return null;
  return { index: given["index"], error: typeof given["error"] === "string" ? given["error"] : null };
}
