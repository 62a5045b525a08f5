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
}

/** A call that the panel refused. */
export const refused = (message: string, refusal: Refusal): AgentCallError =>
  new AgentCallError("refused", message, refusal);

/** What a failed call means for a node that is enrolled. */
export type Verdict = "retry" | "certificate_refused" | "certificate_expired" | "deleted";

const VERDICTS = new Map<string, Verdict>([
  ["certificate_superseded", "certificate_refused"],
  ["certificate_required", "certificate_refused"],
  ["certificate_expired", "certificate_expired"],
  ["node_deleted", "deleted"],
]);

/**
 * Judges a failure. Only a clear word of the panel ends anything: a connection that was merely dropped may be a panel
 * that is restarting, so the node tries again. `now` and `certificateEnd` in milliseconds, by the panel's time.
 */
export function judgeFailure(error: AgentCallError, now: number, certificateEnd: number): Verdict {
  if (error.refusal) return VERDICTS.get(error.refusal.code) ?? "retry";
  // The panel refuses an expired certificate in the handshake, where it cannot say why.
  return error.kind === "dropped" && now >= certificateEnd ? "certificate_expired" : "retry";
}
