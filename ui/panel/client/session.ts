import { signal } from "@preact/signals";
import { offline, onReconnect } from "../../client/connection.ts";
import { recall, store } from "../../client/preferences.ts";
import { forgetRecents } from "../../client/recents.ts";
import { navigate } from "../../client/router.ts";
import { api, setElsewhereHandler, setSignedOutHandler, setSuspendedHandler, setUnenrolledHandler } from "./api.ts";
import { clearResources } from "./resource.ts";
import {
  cameThroughWorkspace,
  dropSession,
  isOver,
  keepSession,
  onSession,
  renewAnew,
  renewSession,
  type Session,
} from "./token.ts";
import type { User } from "./types.ts";

/** Tells a visitor who was never here from one whose session can go on. */
const hint = "orrery.panel.session";
const retryMs = 2000;
/** How long after its last renewal a session can go on. */
const lastsMs = 14 * 24 * 3_600_000;

/** Tabs share the cookie, so they share who is here and in which workspace. */
const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("orrery.session");

/** Who is signed in, in which workspace; undefined while that is not known yet. */
export const user = signal<User | null | undefined>(undefined);

/** The workspace whose own sign-in had let in whoever signed out last in this page: the session at its provider goes on. */
export const leftBehind = signal<string | null>(null);

/** Finds out who is here. Never throws: an unreachable panel leaves `user` undefined and the bar says so. */
export async function startSession(): Promise<void> {
  setSignedOutHandler(() => isOver() && endSession());
  setUnenrolledHandler(() => {
    const who = user.peek();
    // The rule began to hold while the page was open.
    if (who && !who.mfa_enrollment_required) user.value = { ...who, mfa_enrollment_required: true };
  });
  setSuspendedHandler(() => {
    const who = user.peek();
    if (who && !who.workspace_suspended) user.value = { ...who, workspace_suspended: true };
  });
  setElsewhereHandler((signIn) => {
    const who = user.peek();
    if (who && who.sso_required !== signIn) user.value = { ...who, sso_required: signIn };
  });
  onSession(({ user: next }) => {
    // Another workspace has other data under the same addresses.
    if (user.peek() && user.peek()?.tenant_id !== next.tenant_id) clearResources();
    user.value = next;
    leftBehind.value = null;
    store(hint, JSON.stringify({ is: true, at: Date.now() }));
  });
  tabs?.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.data === "began") void follow(renewAnew);
    else if (user.peek()) endSession();
  });
  if (mayBeHere()) await follow();
  else user.value = null;
}

/** Whether a session may go on; where none can, the panel is not asked, because it would refuse. */
function mayBeHere(): boolean {
  const { is, at } = recall(hint);
  return is === true && (typeof at !== "number" || Date.now() - at < lastsMs);
}

async function follow(renew = renewSession): Promise<void> {
  const renewal = await renew();
  if (renewal === "over") return endSession();
  if (renewal === "renewed") return;
  // A panel that is busy or does not answer has not said that the session is over.
  if (offline.peek() === null) {
    setTimeout(() => void follow(), retryMs);
    return;
  }
  const stop = onReconnect(() => {
    stop();
    void follow();
  });
}

/** Takes over a session that has just begun, in all tabs of this browser. */
export function beginSession(session: Session): void {
  keepSession(session);
  tabs?.postMessage("began");
}

/** Goes on in another workspace: what its answer carries replaces the session, and the page starts over. */
export function enterWorkspace(entered: Session, at = "/"): void {
  beginSession(entered);
  navigate(at);
}

/** Takes over what the server says of the person now, after something about them has changed. */
export function updateUser(next: User): void {
  user.value = next;
}

/** Ends the session on the server too; `stay` keeps the address for whoever signs in next. */
export async function signOut({ stay = false }: { stay?: boolean } = {}): Promise<void> {
  const through = cameThroughWorkspace() ? (user.peek()?.tenant_name ?? null) : null;
  await api("POST /api/auth/logout", { anonymous: true }).catch(() => null);
  endSession();
  leftBehind.value = through;
  tabs?.postMessage("ended");
  if (!stay) navigate("/");
}

/** Forgets who was here, when the server has ended the session already. */
export function endSession(): void {
  dropSession();
  store(hint, "{}");
  user.value = null;
  clearResources();
  forgetRecents();
}
