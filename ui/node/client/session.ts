import { signal } from "@preact/signals";
import type { Me } from "../../../src/node/people/auth/contract.ts";
import type { LockInfo } from "../../../src/node/people/lock-info/contract.ts";
import type { User } from "../../../src/node/people/users/contract.ts";
import { share } from "../../client/leader.ts";
import { Problem } from "../../client/problem.ts";
import { forgetRecents } from "../../client/recents.ts";
import { navigate } from "../../client/router.ts";
import { api, refreshSession, setSignedOutHandler } from "./api.ts";
import { endLeftSession, takeLeftSession } from "./left-session.ts";
import { dropLock, isBeforeLockChange, liftLock, lockedSince, raiseLock } from "./lock.ts";
import {
  type Account,
  isAccessOld,
  isForAllPaths,
  isNoted,
  mayBeHere,
  noteAbsence,
  noteAccount,
  notePresence,
} from "./presence.ts";
import { clearResources } from "./resource.ts";

const retryMs = 2000;

/** Who is signed in; undefined while that is not known yet. */
export const user = signal<Me | null | undefined>(undefined);
/** Whose session this browser was left with, and since when that is known, while nobody has said that they want it; null otherwise. */
export const left = signal<(Account & { since: number }) | null>(null);
/** Public facts of this server; null before the first answer. */
export const lockInfo = signal<LockInfo | null>(null);

/** When the present user signed in, on the clock of `performance.now()`. */
let beganAt = Number.NEGATIVE_INFINITY;

/** True for administrators; other roles see their buttons but cannot press them. */
export function isAdmin(): boolean {
  return user.value?.role === "admin";
}

/** Members and admins change things; viewers only look. */
export function mayChangeThings(): boolean {
  return user.value !== undefined && user.value !== null && user.value.role !== "viewer";
}

/** Finds out who is here. Never throws: an unreachable server leaves `user` undefined and the bar says so. */
export async function startSession(): Promise<void> {
  // A call that was sent without a session may be answered after somebody has signed in.
  setSignedOutHandler((sentAt) => sentAt > beganAt && endSession(sentAt));
  // Who was here before is asked for together with the public facts: one round trip less before the first screen.
  const wasHere = mayBeHere();
  const [info] = await Promise.all([loadLockInfo(), wasHere ? loadUser() : null]);
  // Before the first account there is nobody to ask for.
  if (!wasHere || info?.setup_required === true) user.value = null;
  // A server that is busy or does not answer has not said who is here, so it is asked again.
  if (info === null || user.peek() === undefined) setTimeout(() => void startSession(), retryMs);
}

/** Reads the public facts again. */
export async function loadLockInfo(): Promise<LockInfo | null> {
  const info = await api("GET /api/auth/lock-info", { anonymous: true }).catch(() => null);
  if (info !== null) lockInfo.value = info;
  return info;
}

async function loadUser(): Promise<void> {
  if (user.peek() !== undefined) return;
  if (!isForAllPaths() && !isAccessOld() && (await askWho()) !== "refused") return;
  const askedAt = performance.now();
  // Where only a link has left something there is no session of this page to renew.
  let renewal = isNoted() || !isForAllPaths() ? await refreshSession() : "over";
  if (renewal === "over") {
    const found = await takeLeftSession();
    if (typeof found !== "string") {
      left.value = { ...found, since: askedAt };
      user.value = null;
      return;
    }
    renewal = found;
  }
  if (renewal === "over" || (renewal === "renewed" && (await askWho()) === "refused")) forget(askedAt);
}

/** Goes on with the session that was left here, unless it is another's by now. */
export async function goOnAs(account: Account): Promise<void> {
  noteAccount(account);
  left.value = null;
  user.value = undefined;
  await startSession();
}

/** Ends the session that was left here, for somebody else to sign in. */
export async function refuseLeft({ since }: { since: number }): Promise<void> {
  await endLeftSession();
  left.value = null;
  forget(since);
}

/** Asks who is here and takes it in. Only a refusal says that nobody is: an answer may not come, or the page may be left. */
async function askWho(): Promise<"here" | "refused" | "unknown"> {
  try {
    adopt(await api("GET /api/auth/me", { anonymous: true }));
    return "here";
  } catch (error) {
    return error instanceof Problem && error.status === 401 ? "refused" : "unknown";
  }
}

/** Takes in that a call which was sent then found nobody signed in. */
function forget(sentAt: number): void {
  user.value = null;
  noteAbsence(sentAt);
}

function adopt(me: Me): void {
  const before = user.peek();
  if (before?.id !== me.id) beganAt = performance.now();
  // Another tab has signed in somebody else, who must not see what this tab has loaded.
  if (before && before.id !== me.id) clearResources();
  left.value = null;
  user.value = me;
  noteAccount({ id: me.id, name: me.username });
  if (me.locked === true) raiseLock();
  else liftLock();
}

/** Asks the server again who is here: whether the session is locked, ended, or the account has changed. */
export async function checkSession(): Promise<void> {
  let askedAt: number;
  let me: Me | null;
  // An answer that is older than the last change of the lock would undo that change.
  do {
    askedAt = performance.now();
    me = await api("GET /api/auth/me").catch(() => null);
  } while (me !== null && isBeforeLockChange(askedAt));
  if (me !== null) adopt(me);
}

/** Locks this session; true when the server did. */
export async function lockSession(): Promise<boolean> {
  const askedAt = performance.now();
  const done = await api("POST /api/auth/lock").then(
    () => true,
    (error: unknown) => error instanceof Problem && error.status === 423,
  );
  // When the lock has changed meanwhile, in this tab or another, only the server knows how it stands.
  if (done && isBeforeLockChange(askedAt) && lockedSince.peek() === null) await checkSession();
  else if (done) raiseLock();
  return done;
}

/** Takes over a finished sign-in; the cookies are set already. */
export async function completeSignIn(known: User | undefined): Promise<void> {
  const me = await api("GET /api/auth/me").catch(() => known);
  if (me !== undefined) adopt(me);
  notePresence();
}

/** Ends the session on the server too. */
export async function signOut(): Promise<void> {
  await api("POST /api/auth/logout", { anonymous: true }).catch(() => null);
  endSession();
  navigate("/");
}

function endSession(sentAt = performance.now()): void {
  if (user.peek() === null) return;
  dropLock();
  forget(sentAt);
  clearResources();
  forgetRecents();
  // All tabs share the session, so it has ended in each of them.
  share("ended", null);
}
