import { cutText } from "../../../lib/cut-text.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { type MailServer, sendLetter } from "../../../shared/smtp/index.ts";
import type { LetterText } from "../../base.ts";
import { writeLetter } from "./letter.ts";
import type { Needs } from "./needs.ts";
import { deleteMail, findQueue, listDueMail, type MailRow, postponeMail } from "./store.ts";

/** Between a failed try and the next; after the last one it is given up. */
const PAUSES_MS = [minutes(1), minutes(5), minutes(15), minutes(30), hours(2), hours(12)];
const BATCH = 20;
/** The queue is looked at so often even if nothing is known to be due: clocks are set. */
const LOOK_MS = minutes(5);

/** How and as whom letters are sent. */
export interface Sender {
  server: MailServer;
  from: string;
}

/** Sends one letter now. Throws what the mail server answered. */
export async function sendNow(
  { clock }: Pick<Needs, "clock">,
  { server, from }: Sender,
  to: string,
  id: string,
  letter: LetterText,
): Promise<void> {
  const { subject, text, html } = writeLetter(letter);
  const address = { name: "Orrery", address: from };
  const { language } = letter;
  await sendLetter(clock, server, { from: address, to: [to], subject, text, html, id, language });
}

/** The server will never take it: there is nobody of that name, or it does not want this letter. */
const isFinal = (error: unknown): boolean =>
  isRecord(error) &&
  typeof error["responseCode"] === "number" &&
  error["responseCode"] >= 500 &&
  ["RCPT TO", "DATA"].includes(String(error["command"]));

const reasonOf = (error: unknown): string => cutText(error instanceof Error ? error.message : String(error), 300);

/** Sends what waits, one after the other; a letter that fails waits longer each time. */
export function createDelivery(needs: Needs, sender: Sender) {
  const { clock, log, system, lists } = needs;
  /** On the monotonic clock: nothing is due before. */
  let quietUntil = 0;

  async function attempt(row: MailRow): Promise<void> {
    const kind = lists.letters.all().find((one) => one.kind === row.kind);
    const read = parseJson(row.facts);
    const facts = isRecord(read) ? read : {};
    const letter = (await kind?.write(row.address, facts)) ?? null;
    if (letter !== null) await sendNow(needs, sender, row.address, row.id, letter);
    await system.tx(async (tx) => {
      await deleteMail(tx, row.id);
      if (letter !== null) await kind?.sent?.(tx, row.address, facts);
    });
  }

  async function fail(row: MailRow, error: unknown): Promise<void> {
    const pause = PAUSES_MS[row.tries];
    const dueAt = clock.now() + (pause ?? 0);
    const isGivenUp = pause === undefined || isFinal(error) || dueAt >= row.expires_at;
    const facts = { id: row.id, kind: row.kind, reason: reasonOf(error) };
    if (!isGivenUp) {
      log.warn("a mail was not sent and is tried again", { ...facts, minutes: pause / minutes(1) });
      return postponeMail(system, row.id, row.tries + 1, dueAt);
    }
    log.error("a mail was given up", facts);
    return deleteMail(system, row.id);
  }

  return {
    /** Something was added. */
    wake(): void {
      quietUntil = 0;
    },
    async run(signal: AbortSignal): Promise<void> {
      if (clock.monotonic() < quietUntil || !needs.isCurrent()) return;
      quietUntil = clock.monotonic() + LOOK_MS;
      for (const row of await listDueMail(system, clock.now(), BATCH)) {
        if (signal.aborted) return;
        if (row.expires_at <= clock.now()) await deleteMail(system, row.id);
        else await attempt(row).catch((error: unknown) => fail(row, error));
      }
      const { next_due_at } = await findQueue(system);
      if (next_due_at === null) return;
      quietUntil = Math.min(quietUntil, clock.monotonic() + Math.max(0, next_due_at - clock.now()));
    },
  };
}
