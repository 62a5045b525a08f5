import { isRecord, parseJson } from "../../../lib/json.ts";

/** More than any token of ours takes. */
const LIMIT_BYTES = 4_096;

/**
 * The refresh token in the body of a sign-out; null when there is none. Whatever else the body says is passed over, and of a
 * long one the rest is not even read: signing out always works.
 */
export async function readSignOutToken(request: Request): Promise<string | null> {
  const body = parseJson(await readBeginning(request).catch(() => ""));
  const token = isRecord(body) ? body["refresh_token"] : null;
  return typeof token === "string" && token !== "" ? token : null;
}

async function readBeginning(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > LIMIT_BYTES) return "";
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
