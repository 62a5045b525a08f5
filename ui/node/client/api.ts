import { addressOf } from "../../client/base.ts";
import { type Access, createApi, jsonHeaders, type Renewal } from "../../client/call.ts";
import { isBeforeLockChange, raiseLock, untilUnlocked } from "./lock.ts";
import { isAccessOld, mayBeHere, notePresence } from "./presence.ts";
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

/** Whether an answer says that a session has ended; any other refusal says nothing about it. */
export const isOver = (status: number): boolean => status === 401 || status === 403;

/** Makes a session the page's own, by its refresh token; what lies in cookies for all paths is taken away. */
export const takeOverSession = (refresh_token: string): Promise<Renewal> =>
  renewAt(addressOf("/api/auth/refresh"), { refresh_token });

async function renewAt(url: string, body = {}): Promise<Renewal> {
  try {
    const { ok, status } = await fetch(url, { method: "POST", headers: jsonHeaders, body: JSON.stringify(body) });
    if (ok) notePresence();
    return ok ? "renewed" : isOver(status) ? "over" : "unknown";
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
