import type { Take } from "../../../kernel/http/body-budget.ts";
import { asStranger, type BodyIntake } from "../../../kernel/http/body-intake.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";

/** More than any token of ours takes. */
const LIMIT_BYTES = 4_096;
/** What bodies of sign-outs on their way may hold: of one network, and of all. */
export const SIGN_OUT_LIMITS = { each: 16 * LIMIT_BYTES, all: 1_024 * LIMIT_BYTES };

/**
 * The refresh token in the body of a sign-out; null when there is none. Whatever else the body says is passed over, and of a
 * long one the rest is not even read: signing out always works.
 */
export async function readSignOutToken(readWithin: BodyIntake, ip: string, request: Request): Promise<string | null> {
  const read = readWithin(asStranger(ip), (take) => readBeginning(request, take));
  const body = parseJson(await read.catch(() => ""));
  const token = isRecord(body) ? body["refresh_token"] : null;
  return typeof token === "string" && token !== "" ? token : null;
}

async function readBeginning(request: Request, take: Take): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > LIMIT_BYTES) return "";
    take(chunk.byteLength);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
