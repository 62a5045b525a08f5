import type { Clock } from "../../../../lib/clock.ts";
import { cutText } from "../../../../lib/cut-text.ts";
import { hideQuoted } from "../../../../lib/hide-quoted.ts";
import type { WaitingLine } from "../pump/followed.ts";

/**
 * What became of some lines. `taken`: they are there. `refused`: the other side will not have these lines. `too_large`: it would
 * have fewer at a time. `failed`: the way to it is closed for now.
 */
export interface SendResult {
  status: "taken" | "refused" | "too_large" | "failed";
  /** Status of the answer, where there are such. */
  code: number | null;
  /** What came back, for people. */
  words: string;
  /** Milliseconds that the other side asks us to stay away; null when it does not. */
  retry_after_ms: number | null;
}

/** The way to one receiver. */
export interface Sender {
  /** Sends lines together. `id` is the same whenever the same ones are sent. Never throws. */
  send(lines: readonly WaitingLine[], id: string): Promise<SendResult>;
  /** Milliseconds that what was taken may still be lost with its connection: the protocol has no answer. */
  settleMs: number;
  /** False when the connection that the last lines went over has ended since. */
  isStanding(): boolean;
  close(): void;
}

/** What senders need of the world. */
export interface SenderPorts {
  clock: Clock;
  ownPorts: ReadonlySet<number>;
  /** This server, as receivers are told. */
  server(): string;
}

const MAX_WORDS = 400;

/** A failure of the way, in words. */
export const failed = (words: string): SendResult => ({ status: "failed", code: null, words, retry_after_ms: null });

/** Text from the other side as it may be shown: one line, without the secret and the path of the address, not too long. */
export function cleanWords(text: string, secret: string | null, address: string): string {
  const hidden = hideQuoted(text, secret === null ? [] : [secret], [address]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return cutText(hidden.replace(/[\u0000-\u001f\u007f]+/g, " ").trim(), MAX_WORDS);
}
