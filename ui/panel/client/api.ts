import { type Access, createApi } from "../../client/call.ts";
import type { Routes } from "./routes.ts";
import { bearer, renewSession } from "./token.ts";

let onSignedOut: () => void = () => {};
let onUnenrolled: () => void = () => {};

/** Registers what happens when the session is over and could not be renewed. */
export function setSignedOutHandler(handler: () => void): void {
  onSignedOut = handler;
}

/** Registers what happens when the workspace wants a second factor and the caller has none. */
export function setUnenrolledHandler(handler: () => void): void {
  onUnenrolled = handler;
}

/** A token proves who asks. */
export const access: Access = {
  headers: bearer,
  renew: renewSession,
  onSignedOut: () => onSignedOut(),
  onRefused: ({ code }) => code === "mfa_enrollment_required" && onUnenrolled(),
};

/** Calls one route of the panel, e.g. `api("POST /api/workspaces/{id}/switch", { path: { id } })`. Throws Problem. */
export const api = createApi<Routes>(access);
