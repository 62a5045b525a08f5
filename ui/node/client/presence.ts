import { recall, store } from "../../client/preferences.ts";

const key = "orrery.session";
/** An access cookie is good for 15 minutes; it is renewed before the last one. */
const freshMs = 14 * 60_000;

/** Notes, for all tabs of this browser, that the session has just been given a new access cookie. */
export function notePresence(): void {
  store(key, JSON.stringify({ is: true, at: Date.now() }));
}

/**
 * Notes that nobody is signed in, as a call found that was sent at this `performance.now()`; somebody who has signed in since, in
 * another tab, stays noted.
 */
export function noteAbsence(sentAt: number): void {
  const { at } = recall(key);
  if (typeof at === "number" && at > Date.now() - (performance.now() - sentAt)) return;
  store(key, "{}");
  // biome-ignore lint/suspicious/noDocumentCookie: the other way to do it needs https.
  if (typeof document !== "undefined") document.cookie = "signed_in=; Path=/; Max-Age=0";
}

/** Whether this browser has noted that somebody is signed in with this page. */
export const isNoted = (): boolean => recall(key)["is"] === true;

/** Whether somebody may be signed in here: without a sign of it the node is not asked, because it would refuse. */
export function mayBeHere(): boolean {
  return isNoted() || (typeof document !== "undefined" && /(^|; )signed_in=/.test(document.cookie));
}

/** Whether somebody signed in here with cookies that every path gets, and so every app of this server, until the page takes them over. */
export const isForAllPaths = (): boolean =>
  typeof document !== "undefined" && /(^|; )signed_in=[^;]*[^~;](;|$)/.test(document.cookie);

/** Whether the access cookie is over or about to be; a session that began elsewhere, such as by a link, has an unknown age. */
export function isAccessOld(): boolean {
  const { at } = recall(key);
  return typeof at !== "number" || Math.abs(Date.now() - at) > freshMs;
}
