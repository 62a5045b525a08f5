import { ResponseRefused } from "./structure.ts";

const MAX_KIB = 128;
/** The largest answer that is read, before it is encoded: a thousand groups by their whole names, which are as many as a directory lets one be in. */
export const MAX_RESPONSE_BYTES = MAX_KIB * 1024;

/** What to do about an answer that is too large. */
export const SEND_LESS =
  "Let the provider send only the groups that roles are given by, and no attributes that are not needed.";

const unreadable = (why: string, advice = "Check what the provider logged of this sign-in.") =>
  new ResponseRefused("answer", `The provider's answer ${why}`, advice);

/** The text of an answer as forms carry it. Throws ResponseRefused. */
export function parseUtf8(encoded: string): string {
  const packed = encoded.replace(/[ \t\r\n]/g, "");
  if (packed.length > (MAX_RESPONSE_BYTES / 3) * 4 + 4) throw unreadable(`is larger than ${MAX_KIB} KiB`, SEND_LESS);
  const bytes = Buffer.from(packed, "base64");
  if (packed === "" || bytes.toString("base64") !== packed) throw unreadable("is not written in base64");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable("is not written in UTF-8");
  }
}
