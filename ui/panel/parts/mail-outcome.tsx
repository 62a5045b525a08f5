import type { MailOutcome } from "../../../src/panel/platform/mail/contract.ts";
import { ago, duration } from "../../client/format.ts";
import { Status } from "../../kit/status.tsx";

/** A letter that waits has not been tried in vain before the server has said something. */
const isInTrouble = ({ state, reason }: MailOutcome): boolean =>
  state !== "sent" && (state !== "waiting" || reason !== null);

/** What became of a letter, in one sentence without the words of the mail server. */
function sayOutcome({ state, queued_at, at, unreachable }: MailOutcome): string {
  if (unreachable && state === "waiting") return "No such address; another letter waits";
  const tried = duration((Date.parse(at) - Date.parse(queued_at)) / 1000);
  return {
    waiting: `Letter waits, asked for ${ago(queued_at)}`,
    sent: `Letter sent ${ago(at)}`,
    refused: `Letter refused ${ago(at)}`,
    given_up: `Letter given up after ${tried}`,
  }[state];
}

/** Trouble with a letter, with what the mail server said; nothing where there is none. */
export function MailTrouble({ of }: { of: MailOutcome | null }) {
  if (of === null || !isInTrouble(of)) return null;
  return (
    <span class="col">
      <Status state={of.state === "waiting" && !of.unreachable ? "info" : "warn"}>{sayOutcome(of)}</Status>
      {of.reason !== null && <span class="t12 c3">{of.reason}</span>}
    </span>
  );
}

/** The same, and the plain word where all went well. */
export function MailState({ of }: { of: MailOutcome | null }) {
  if (of === null) return null;
  return isInTrouble(of) ? <MailTrouble of={of} /> : <span class="t12 c3">{sayOutcome(of)}</span>;
}
