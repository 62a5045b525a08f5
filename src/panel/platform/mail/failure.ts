import { cutText } from "../../../lib/cut-text.ts";
import { isRecord } from "../../../lib/json.ts";
import { plainCharacter } from "../../../lib/plain-text.ts";

/** What a try that failed tells. */
export interface Failure {
  /** For people of a workspace: the words of the mail server about this letter, none about the way there. */
  reason: string;
  /** The server will never take it: there is nobody of that name, or it does not want this letter. */
  isFinal: boolean;
  /** Nobody has this address, so that no other letter will be taken either. */
  isUnreachable: boolean;
}

const NOT_HANDED_OVER = "It could not be handed to the mail server of this panel.";
const PLAIN = new RegExp(plainCharacter(), "g");
/** Commands whose replies are about this letter, not about whoever runs the panel. */
const ABOUT_LETTER = ["MAIL FROM", "RCPT TO", "DATA"];
/** Replies without a code of RFC 3463 that mean the address: no such mailbox, nobody here, no such name. */
const NO_SUCH_ADDRESS = [550, 551, 553];

const oneLine = (text: string): string => cutText((text.replace(/\s+/g, " ").match(PLAIN) ?? []).join("").trim(), 300);

/** Codes of RFC 3463 about the receiver's address (5.1.x, but for the two about the sender's), or a mailbox that is shut (5.2.1). */
function meansAddress(response: string, command: string, code: number): boolean {
  const [, subject, detail] = /^\d{3}[ -]5\.(\d{1,3})\.(\d{1,3})\b/.exec(response) ?? [];
  if (subject === undefined) return command === "RCPT TO" && NO_SUCH_ADDRESS.includes(code);
  return subject === "1" ? detail !== "7" && detail !== "8" : subject === "2" && detail === "1";
}

/** Reads what sending threw: nodemailer's error with `responseCode`, `response` and `command`, or anything. */
export function readFailure(error: unknown): Failure {
  const { responseCode: code, response, command } = isRecord(error) ? error : {};
  if (typeof code !== "number" || typeof response !== "string" || !ABOUT_LETTER.includes(String(command)))
    return { reason: NOT_HANDED_OVER, isFinal: false, isUnreachable: false };
  const isFinal = code >= 500 && command !== "MAIL FROM";
  return {
    reason: oneLine(response),
    isFinal,
    isUnreachable: isFinal && meansAddress(response, String(command), code),
  };
}
