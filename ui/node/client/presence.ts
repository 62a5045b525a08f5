import { recall, store } from "../../client/preferences.ts";
import { isRecord } from "../../client/problem.ts";

const key = "orrery.session";
/** An access cookie is good for 15 minutes; it is renewed before the last one. */
const freshMs = 14 * 60_000;

/** An account, and what it is called. */
export interface Account {
  id: string;
  name: string;
}

/** Notes, for all tabs of this browser, that the session has just been given a new access cookie. */
export function notePresence(): void {
  store(key, JSON.stringify({ ...recall(key), is: true, at: Date.now() }));
}

/** Notes whose session this page has, which is known beyond its end. */
export function noteAccount({ id, name }: Account): void {
  const last = lastAccount();
  if (last?.id !== id || last.name !== name) store(key, JSON.stringify({ ...recall(key), last: { id, name } }));
}

/** Who was signed in last with this page, or still is; null where that is not known. */
export function lastAccount(): Account | null {
  const { last } = recall(key);
  if (!isRecord(last)) return null;
  const { id, name } = last;
  return typeof id === "string" && typeof name === "string" ? { id, name } : null;
}

/**
 * Notes that nobody is signed in, as a call found that was sent at this `performance.now()`; somebody who has signed in since, in
 * another tab, stays noted.
 */
export function noteAbsence(sentAt: number): void {
  const { at, last } = recall(key);
  if (typeof at === "number" && at > Date.now() - (performance.now() - sentAt)) return;
  store(key, JSON.stringify({ last }));
  // biome-ignore lint/suspicious/noDocumentCookie: the other way to do it needs https.
  if (typeof document !== "undefined") document.cookie = "signed_in=; Path=/; Max-Age=0";
}

/** Whether this browser has noted that somebody is signed in with this page. */
export const isNoted = (): boolean => recall(key)["is"] === true;

/** Whether somebody may be signed in here: without a sign of it the node is not asked, because it would refuse. */
export function mayBeHere(): boolean {
  return isNoted() || (typeof document !== "undefined" && /(^|; )signed_in=/.test(document.cookie));
}

/** Whether a session lies in cookies that every path gets, and so every app of this server, which may have left it too. */
export const isForAllPaths = (): boolean =>
  typeof document !== "undefined" && /(^|; )signed_in=[^;]*[^~;](;|$)/.test(document.cookie);

/** Whether the access cookie is over or about to be; a session that began elsewhere, such as by a link, has an unknown age. */
export function isAccessOld(): boolean {
  const { at } = recall(key);
  return typeof at !== "number" || Math.abs(Date.now() - at) > freshMs;
}
