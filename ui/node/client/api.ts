import { addressOf } from "../../client/base.ts";
import { type Access, createApi, jsonHeaders, type Renewal } from "../../client/call.ts";
import { isBeforeLockChange, raiseLock, untilUnlocked } from "./lock.ts";
import { isAccessOld, isForAllPaths, mayBeHere, notePresence } from "./presence.ts";
import type { Routes } from "./routes.ts";

let onSignedOut: (sentAt: number) => void = () => {};
/** The last event that had happened when the node last said who is here, and when that was. */
let lastEvent: { id: string; at: number } | null = null;
let refreshing: Promise<Renewal> | null = null;

/** Registers what happens when the session of a call sent at this `performance.now()` is over and could not be refreshed. */
export function setSignedOutHandler(handler: (sentAt: number) => void): void {
  onSignedOut = handler;
}

/** The event behind which a page goes on that has just loaded its data; null when that is too long ago. */
export function eventBeforeLoad(): string | null {
  return lastEvent === null || performance.now() - lastEvent.at > 10_000 ? null : lastEvent.id;
}

/** Exchanges the refresh cookie for a new session; calls at the same moment share one exchange. */
export function refreshSession(): Promise<Renewal> {
  refreshing ??= renewAt(addressOf("/api/auth/refresh")).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/**
 * Takes over the cookies that a sign-in which began elsewhere, such as by a link, left for all paths. Any app of this server can leave such,
 * so never while somebody is signed in here.
 */
export async function takeOverSession(): Promise<Renewal> {
  const own = addressOf("");
  return own !== "" && isForAllPaths() ? renewAt(`/api/auth${own}/refresh`) : "over";
}

async function renewAt(url: string): Promise<Renewal> {
  try {
    const { ok, status } = await fetch(url, { method: "POST", headers: jsonHeaders, body: "{}" });
    if (ok) notePresence();
    return ok ? "renewed" : status === 401 || status === 403 ? "over" : "unknown";
  } catch {
    return "unknown";
  }
}

/** Cookies prove who asks; a locked session has its own screen above the page. */
export const access: Access = {
  async headers(isAnonymous) {
    if (!isAnonymous && mayBeHere() && isAccessOld()) await refreshSession();
    return {};
  },
  onAnswer({ headers }) {
    const id = headers.get("x-event-id");
    if (id !== null) lastEvent = { id, at: performance.now() };
  },
  renew: refreshSession,
  onSignedOut: (sentAt) => onSignedOut(sentAt),
  async onLocked(mayWait, sentAt) {
    // An answer that was on its way while somebody unlocked would lock the page again.
    if (isBeforeLockChange(sentAt)) return mayWait;
    raiseLock();
    return mayWait && (await untilUnlocked());
  },
};

/** Calls one route of this node, e.g. `api("GET /api/apps/{id}", { path: { id } })`. Throws Problem. */
export const api = createApi<Routes>(access);
