import type { WordReason } from "../panel-word/index.ts";

/**
 * Why a call to the panel brought nothing:
 * - `unreachable`: no connection, or no answer in time;
 * - `dropped`: the panel took the connection and closed it without a word, as it does for a certificate it cannot use;
 * - `untrusted`: whoever answered is not signed by the authority that this node trusts;
 * - `pin_mismatch`: on the first call, no root of the chain carries the pin;
 * - `refused`: the panel said no, with a code;
 * - `garbled`: the answer is not one of the protocol.
 */
export type AgentFailureKind = "unreachable" | "dropped" | "untrusted" | "pin_mismatch" | "refused" | "garbled";

/** A call that failed; the message is for people. */
export class AgentCallError extends Error {
  readonly kind: AgentFailureKind;
  /** What the panel said; null unless it refused. */
  readonly refusal: Refusal | null;

  constructor(kind: AgentFailureKind, message: string, refusal: Refusal | null = null) {
    super(message);
    this.name = "AgentCallError";
    this.kind = kind;
    this.refusal = refusal;
  }
}

/** A refusal of the panel. */
export interface Refusal {
  status: number;
  code: string;
  /** Seconds to wait, when the panel named them. */
  retryAfterS: number | null;
  /** The panel's signed word, when it gave one. */
  word: string | null;
}

/** A call that the panel refused. */
export const refused = (message: string, refusal: Refusal): AgentCallError =>
  new AgentCallError("refused", message, refusal);

/** What a failed call means for a node that is enrolled. */
export type Verdict = "retry" | "certificate_refused" | "certificate_expired" | "deleted";

const VERDICTS = new Map<string, "certificate_refused" | "deleted">([
  ["certificate_superseded", "certificate_refused"],
  ["node_deleted", "deleted"],
]);
const REASONS: Record<"certificate_refused" | "deleted", WordReason> = {
  certificate_refused: "superseded",
  deleted: "deleted",
};

/** What a node knows by itself when it is refused. */
export interface Standpoint {
  /** By the panel's time, milliseconds. */
  now: number;
  certificateEnd: number;
  /** Whether the panel signed that the certificate in use is of no use, for this reason. */
  isSigned(word: string, reason: WordReason): boolean;
}

/**
 * Judges a failure. Only the panel's signed word ends anything, or the end of the certificate, which a node can read itself: a
 * connection that was merely dropped may be a panel that is restarting, a bare refusal one over other data.
 */
export function judgeFailure(
  { kind, refusal }: AgentCallError,
  { now, certificateEnd, isSigned }: Standpoint,
): Verdict {
  const isOver = now >= certificateEnd;
  if (!refusal) return kind === "dropped" && isOver ? "certificate_expired" : "retry";
  if (refusal.code === "certificate_expired") return isOver ? "certificate_expired" : "retry";
  const verdict = VERDICTS.get(refusal.code);
  return verdict && refusal.word !== null && isSigned(refusal.word, REASONS[verdict]) ? verdict : "retry";
}
