import { type Access, createApi, jsonHeaders } from "../../client/call.ts";
import { isBeforeLockChange, raiseLock, untilUnlocked } from "./lock.ts";
import type { Routes } from "./routes.ts";

let onSignedOut: () => void = () => {};
let refreshing: Promise<boolean> | null = null;

/** Registers what happens when the session is over and could not be refreshed. */
export function setSignedOutHandler(handler: () => void): void {
  onSignedOut = handler;
}

/** Exchanges the refresh cookie for a new session; calls at the same moment share one exchange. */
export function refreshSession(): Promise<boolean> {
  refreshing ??= fetch("/api/auth/refresh", { method: "POST", headers: jsonHeaders, body: "{}" })
    .then((response) => response.ok)
    .catch(() => false)
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

/** Cookies prove who asks; a locked session has its own screen above the page. */
export const access: Access = {
  renew: refreshSession,
  onSignedOut: () => onSignedOut(),
  async onLocked(mayWait, sentAt) {
    // An answer that was on its way while somebody unlocked would lock the page again.
    if (isBeforeLockChange(sentAt)) return mayWait;
    raiseLock();
    return mayWait && (await untilUnlocked());
  },
};

/** Calls one route of this node, e.g. `api("GET /api/apps/{id}", { path: { id } })`. Throws Problem. */
export const api = createApi<Routes>(access);
