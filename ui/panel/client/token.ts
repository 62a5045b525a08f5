import { jsonHeaders, type Renewal } from "../../client/call.ts";
import { markUnreachable } from "../../client/connection.ts";
import { isRecord } from "../../client/problem.ts";
import type { User } from "./types.ts";

/** A token holds for 15 minutes; it is renewed before the last one. */
const freshMs = 14 * 60_000;

/** A session as every way in answers it. */
export interface Session {
  token: string;
  user: User;
}

let session: { token: string; since: number } | null = null;
/** Rises with every session that begins or ends here. */
let turn = 0;
let last: Renewal = "unknown";
let renewing: Promise<Renewal> | null = null;
let adopt: (session: Session) => void = () => {};

/** Registers who takes over the person of each session that begins or is renewed. */
export function onSession(taker: (session: Session) => void): void {
  adopt = taker;
}

/**
 * Keeps a token in this page's memory alone: a script that could read a store would have the session for 14 days. What survives
 * a reload is a cookie that no script can read and that is good for a renewal only.
 */
export function keepSession(given: Session): void {
  turn += 1;
  session = { token: given.token, since: Date.now() };
  adopt(given);
}

/** Whether the workspace's own sign-in began the session: its provider has a session too, which goes on by itself. */
export function cameThroughWorkspace(): boolean {
  const packed = session?.token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/");
  const claims: unknown = packed === undefined ? null : JSON.parse(atob(packed));
  return isRecord(claims) && claims["wsl"] === true;
}

/** Forgets the token. */
export function dropSession(): void {
  turn += 1;
  session = null;
}

/** Headers that prove who asks, with a token that is good for a minute at least; none when nobody is signed in. */
export async function bearer(): Promise<Record<string, string>> {
  if (session !== null && Date.now() - session.since > freshMs) await renewSession();
  return session === null ? {} : { authorization: `Bearer ${session.token}` };
}

/** Asks for a new token with the cookie of this browser; calls at the same moment share one exchange. */
export function renewSession(): Promise<Renewal> {
  renewing ??= exchange().then((renewal) => {
    last = renewal;
    renewing = null;
    return renewal;
  });
  return renewing;
}

/**
 * Resolves when no renewal is under way. Whoever takes over a session that is not renewed from the one before waits for that: the
 * cookie of a late answer would replace theirs, and the next reload be somebody else's.
 */
export async function renewalOver(): Promise<void> {
  await renewing;
}

/** True when the panel has said that there is no session to go on with; a panel that does not answer has not. */
export function isOver(): boolean {
  return last === "over";
}

/** As `renewSession`, but not with an answer that may be from before this call. */
export async function renewAnew(): Promise<Renewal> {
  await renewing;
  return renewSession();
}

async function exchange(): Promise<Renewal> {
  const begun = turn;
  const response = await fetch("/api/auth/refresh", { method: "POST", headers: jsonHeaders, body: "{}" }).catch(() => {
    markUnreachable();
    return null;
  });
  const body: unknown = response?.ok === true ? await response.json().catch(() => null) : null;
  // Somebody signed in or out, or went to another workspace meanwhile: that is newer than this answer.
  if (turn !== begun) return session === null ? "over" : "renewed";
  if (response?.status === 401 || response?.status === 403) return "over";
  if (!isSession(body)) return "unknown";
  keepSession(body);
  return "renewed";
}

function isSession(body: unknown): body is Session {
  return isRecord(body) && typeof body["token"] === "string" && isRecord(body["user"]);
}
