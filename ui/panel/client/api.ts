import { type Access, createApi } from "../../client/call.ts";
import type { Routes } from "./routes.ts";
import { bearer, renewSession } from "./token.ts";

let onSignedOut: () => void = () => {};
let onUnenrolled: () => void = () => {};
let onSuspended: () => void = () => {};
let onElsewhere: (signIn: string) => void = () => {};

/** Registers what happens when the session is over and could not be renewed. */
export function setSignedOutHandler(handler: () => void): void {
  onSignedOut = handler;
}

/** Registers what happens when the workspace wants a second factor and the caller has none. */
export function setUnenrolledHandler(handler: () => void): void {
  onUnenrolled = handler;
}

/** Registers what happens when whoever runs the panel suspended the workspace. */
export function setSuspendedHandler(handler: () => void): void {
  onSuspended = handler;
}

/** Registers what happens when the workspace lets people in by a sign-in of its own alone, and the caller came another way. */
export function setElsewhereHandler(handler: (signIn: string) => void): void {
  onElsewhere = handler;
}

/** A token proves who asks. */
export const access: Access = {
  headers: bearer,
  renew: renewSession,
  onSignedOut: () => onSignedOut(),
  onRefused({ code, params: { sign_in } }) {
    if (code === "mfa_enrollment_required") onUnenrolled();
    if (code === "workspace_suspended") onSuspended();
    if (code === "sso_required" && typeof sign_in === "string") onElsewhere(sign_in);
  },
};

/** Calls one route of the panel, e.g. `api("POST /api/workspaces/{id}/switch", { path: { id } })`. Throws Problem. */
export const api = createApi<Routes>(access);
