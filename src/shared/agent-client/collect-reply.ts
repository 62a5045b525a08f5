import { ByteBuffer } from "../../lib/byte-buffer.ts";
import { isRecord, nestingOf, parseJson } from "../../lib/json.ts";
import { FRAME_NESTING } from "../agent-protocol/index.ts";
import { AgentCallError, refused } from "./failures.ts";
import type { ReplyHead } from "./reply-reader.ts";

const MAX_REPLY = 2_097_152;
/** Of what a refusal says to people. */
const MAX_MESSAGE = 500;

/** Gathers one answer; `read` gives its JSON or throws the refusal in it. */
export function collectReply() {
  const body = new ByteBuffer();
  let head: ReplyHead | null = null;
  return {
    sink: {
      onHead(given: ReplyHead) {
        head = given;
      },
      onBody(chunk: Uint8Array) {
        body.append(chunk);
        if (body.length > MAX_REPLY)
          throw new AgentCallError("garbled", "The panel's answer is larger than it may be.");
      },
    },
    read: () => readReply(head, body.view().toString("utf8")),
  };
}

/** The signed word among what a refusal tells. */
export function wordIn(params: unknown): string | null {
  const word = isRecord(params) ? params["word"] : undefined;
  return typeof word === "string" ? word : null;
}

function readReply(head: ReplyHead | null, text: string): unknown {
  const status = head?.status ?? 0;
  const body = nestingOf(text) > FRAME_NESTING ? null : parseJson(text);
  if (status === 200 && isRecord(body)) return body;
  const code = isRecord(body) ? body["code"] : undefined;
  if (typeof code !== "string")
    throw new AgentCallError("garbled", `The panel answered ${status} and no JSON we know.`);
  const message = (isRecord(body) && typeof body["message"] === "string" ? body["message"] : code).slice(
    0,
    MAX_MESSAGE,
  );
  const params = isRecord(body) ? body["params"] : undefined;
  const wait = Number(head?.headers.get("retry-after") ?? Number.NaN);
  throw refused(message, { status, code, retryAfterS: Number.isFinite(wait) ? wait : null, word: wordIn(params) });
}
