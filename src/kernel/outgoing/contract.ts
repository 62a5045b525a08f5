/** One request to a place that a person named. */
export interface OutgoingRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** From the first question to DNS until the last byte of the reply; 30 s unless told. */
  timeoutMs?: number;
  /** Largest reply body that is read; 64 KiB unless told. */
  maxReplyBytes?: number;
  /** A longer reply is cut there instead of failing with `too_large`. */
  cutReply?: boolean;
  /** A workspace or an account that wants it: names of one are looked up a few at a time. Left out, the program itself. */
  asker?: string;
  /** May travel over a kept connection, and once more when that one turns out to be closed: for what can come twice. */
  reuse?: boolean;
}

export interface OutgoingReply {
  status: number;
  /** Lower-case names; repeated ones joined by a comma. */
  headers: Record<string, string>;
  body: string;
  duration_ms: number;
}

export type OutgoingFailure =
  | "bad_url"
  | "blocked_address"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "redirect"
  | "status"
  | "too_large"
  | "reset";

/** Why a request got no usable reply; the message is for people. */
export class OutgoingError extends Error {
  readonly reason: OutgoingFailure;
  /** Status of the reply, when there was one. */
  readonly status: number | null;

  constructor(reason: OutgoingFailure, message: string, status: number | null = null) {
    super(message);
    this.name = "OutgoingError";
    this.reason = reason;
    this.status = status;
  }
}

/** HTTP to places that people name, which never reaches what only this machine can reach. */
export interface Outgoing {
  /** Sends it; any status outside 3xx is a reply. Throws OutgoingError. */
  request(request: OutgoingRequest): Promise<OutgoingReply>;
  /** Throws OutgoingError `bad_url`, or `blocked_address` for literal addresses; asks nobody. */
  checkUrl(url: string): void;
}
