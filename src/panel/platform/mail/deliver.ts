import { cutText } from "../../../lib/cut-text.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { type MailServer, sendLetter } from "../../../shared/smtp/index.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { readFailure } from "./failure.ts";
import { writeLetter } from "./letter.ts";
import type { Needs } from "./needs.ts";
import {
  deleteOutcome,
  endOutcome,
  markReachable,
  markUnreachable,
  type OutcomeKey,
  tellUnreachable,
  updateOutcome,
} from "./outcome-store.ts";
import { deleteMail, findQueue, listDueBut, listDueFirsts, type MailRow, postponeMail } from "./store.ts";

/** Between a failed try and the next; after the last one it is given up. */
const PAUSES_MS = [minutes(1), minutes(5), minutes(15), minutes(30), hours(2), hours(12)];
const BATCH = 20;
/** So many notices go before it is asked whether a letter came that somebody waits for. */
const NOTICES = 4;
/** Of so many workspaces it is known when a notice of theirs went; beyond that all begin anew. */
const KNOWN_MAX = 20_000;
/** The queue is looked at so often even if nothing is known to be due: clocks are set. */
const LOOK_MS = minutes(5);
/** After trouble with the database, or with anything else of ours. */
const REST_MS = seconds(10);
/** So many letters may have been taken that could not be noted as such; until one of them is, no other goes. */
const UNNOTED_MAX = 20;

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

/** A letter that the mail server took, or for which there was no reason any more. */
interface Dealt {
  row: MailRow;
  isSent: boolean;
  at: number;
}

/** What the log has of a failure, the way to the mail server too. */
const wholeReason = (error: unknown): string => cutText(error instanceof Error ? error.message : String(error), 300);

const keyOf = ({ tenant_id, address, id }: MailRow): OutcomeKey => ({ tenant_id, address, letter_id: id });

/** Nobody has the address: its workspace is told, and of an account's own letter all that the account is in. */
async function spread(
  { clock, lists }: Pick<Needs, "clock" | "lists">,
  tx: SystemTx,
  row: MailRow,
  reason: string,
): Promise<void> {
  await markUnreachable(tx, row, reason);
  if (row.tenant_id !== "") return;
  const homes = await Promise.all(lists.homes.all().map((find) => find(tx, row.address)));
  for (const tenant_id of homes.flat())
    await tellUnreachable(tx, { ...keyOf(row), tenant_id, reason, at: clock.now() });
}

/**
 * Sends what waits, one after the other: what somebody waits for first, then notices in turns of their workspaces. A letter that fails
 * waits longer each time.
 */
export function createDelivery(needs: Needs, sender: Sender) {
  const { clock, log, system, lists } = needs;
  /** On the monotonic clock: nothing is due before. */
  let quietUntil = 0;
  let wakes = 0;

  /** What was dealt with but could not be noted, by letter: it does not go again. */
  const unnoted = new Map<string, Dealt>();

  /** When the last notice of a workspace went, as a number that grows. */
  const turns = new Map<string, number>();
  let turn = 0;

  /** How often letters were taken, refused, given up or put off, since the start. */
  const counts = { sent: 0, refused: 0, given_up: 0, deferred: 0 };

  /** Hands a letter over. Throws what the mail server answered. */
  async function handOver(row: MailRow): Promise<Dealt> {
    const kind = lists.letters.all().find((one) => one.kind === row.kind);
    const read = parseJson(row.facts);
    const facts = isRecord(read) ? read : {};
    const letter = (await kind?.write(row.address, facts)) ?? null;
    if (letter !== null) await sendNow(needs, sender, row.address, row.id, letter);
    return { row, isSent: letter !== null, at: clock.now() };
  }

  /** Writes down that a letter was taken, or that there was no reason for it after all. */
  async function note({ row, isSent, at }: Dealt): Promise<void> {
    const key = keyOf(row);
    await system.tx(async (tx) => {
      // It may have been noted, though nobody was told so.
      if ((await deleteMail(tx, row.id)) === 0) return;
      if (!isSent) return deleteOutcome(tx, key);
      const kind = lists.letters.all().find((one) => one.kind === row.kind);
      const facts = parseJson(row.facts);
      await updateOutcome(tx, key, { state: "sent", reason: null, at });
      await markReachable(tx, row.tenant_id, row.address);
      await kind?.sent?.(tx, row.address, isRecord(facts) ? facts : {});
    });
    unnoted.delete(row.id);
    if (isSent) counts.sent++;
  }

  async function fail(row: MailRow, error: unknown): Promise<void> {
    const failure = readFailure(error);
    const pause = PAUSES_MS[row.tries];
    const now = clock.now();
    const dueAt = now + (pause ?? 0);
    const isGivenUp = pause === undefined || failure.isFinal || dueAt >= row.expires_at;
    const facts = { id: row.id, kind: row.kind, reason: wholeReason(error) };
    if (isGivenUp) log.error("a mail was given up", facts);
    else log.warn("a mail was not sent and is tried again", { ...facts, minutes: pause / minutes(1) });
    const given = failure.isFinal ? "refused" : "given_up";
    await system.tx(async (tx) => {
      const { reason } = failure;
      await updateOutcome(tx, keyOf(row), { state: isGivenUp ? given : "waiting", reason, at: now });
      if (failure.isUnreachable) await spread(needs, tx, row, reason);
      if (isGivenUp) await deleteMail(tx, row.id);
      else await postponeMail(tx, row.id, row.tries + 1, dueAt);
    });
    counts[isGivenUp ? given : "deferred"]++;
  }

  /** Nobody waits for it any more. */
  async function expire(row: MailRow): Promise<void> {
    await system.tx(async (tx) => {
      await endOutcome(tx, keyOf(row), clock.now());
      await deleteMail(tx, row.id);
    });
    counts.given_up++;
  }

  /** Those that go next, `limit` at most. */
  async function nextLetters(limit: number): Promise<MailRow[]> {
    const now = clock.now();
    const notices = lists.letters.all().flatMap(({ kind, isNotice }) => (isNotice ? [kind] : []));
    const isOpen = ({ id }: MailRow): boolean => !unnoted.has(id);
    const awaited = (await listDueBut(system, notices, now, limit + unnoted.size)).filter(isOpen).slice(0, limit);
    if (awaited.length > 0) return awaited;
    if (turns.size > KNOWN_MAX) turns.clear();
    const lastTurn = ({ tenant_id }: MailRow): number => turns.get(tenant_id) ?? 0;
    const firsts = (await listDueFirsts(system, notices, now)).filter(isOpen);
    const next = firsts.sort((one, other) => lastTurn(one) - lastTurn(other)).slice(0, Math.min(limit, NOTICES));
    for (const { tenant_id } of next) turns.set(tenant_id, ++turn);
    return next;
  }

  async function send(row: MailRow): Promise<void> {
    if (row.expires_at <= clock.now()) return expire(row);
    const dealt = await handOver(row).catch((error: unknown) => ({ error }));
    if ("error" in dealt) return fail(row, dealt.error);
    unnoted.set(row.id, dealt);
    await note(dealt);
  }

  /** Notes what could not be noted before. One that still cannot keeps no other from it, and is forgotten when its letter is of no use. */
  async function noteRest(): Promise<void> {
    for (const dealt of [...unnoted.values()])
      await note(dealt).catch((error: unknown) => {
        log.error("a mail was taken, which cannot be noted yet", { id: dealt.row.id, error });
        if (dealt.row.expires_at <= clock.now()) unnoted.delete(dealt.row.id);
      });
    if (unnoted.size >= UNNOTED_MAX) throw new Error("too many mails were taken that cannot be noted");
  }

  async function sendBatch(signal: AbortSignal): Promise<void> {
    await noteRest();
    for (let left = BATCH; left > 0; ) {
      const rows = await nextLetters(left);
      if (rows.length === 0) return;
      left -= rows.length;
      for (const row of rows) {
        if (signal.aborted) return;
        await send(row);
      }
    }
  }

  return {
    counts: counts as Readonly<typeof counts>,
    /** Something was added. */
    wake(): void {
      wakes++;
      quietUntil = 0;
    },
    async run(signal: AbortSignal): Promise<void> {
      if (clock.monotonic() < quietUntil || !needs.isCurrent()) return;
      const before = wakes;
      try {
        await sendBatch(signal);
        const { next_due_at } = await findQueue(system);
        const nextMs = Math.min(LOOK_MS, Math.max(0, (next_due_at ?? Number.POSITIVE_INFINITY) - clock.now()));
        if (wakes === before) quietUntil = clock.monotonic() + nextMs;
      } catch (error) {
        quietUntil = clock.monotonic() + REST_MS;
        throw error;
      }
    },
  };
}
