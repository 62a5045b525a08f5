import { signal } from "@preact/signals";
import { api, refreshSession, setSignedOutHandler } from "./api.ts";
import { recall, store } from "./preferences.ts";
import { Problem } from "./problem.ts";
import { clearResources } from "./resource.ts";
import { navigate } from "./router.ts";
import type { LockInfo, User } from "./types.ts";

const hint = "orrery.session";

/** Who is signed in; undefined while that is not known yet. */
export const user = signal<User | null | undefined>(undefined);
/** Public facts of this server; null before the first answer. */
export const lockInfo = signal<LockInfo | null>(null);

/** True for administrators; other roles see what needs admin, but cannot press it. */
export function isAdmin(): boolean {
  return user.value?.role === "admin";
}

/** Finds out who is here. Never throws: an unreachable server leaves `user` undefined and the bar says so. */
export async function startSession(): Promise<void> {
  setSignedOutHandler(endSession);
  // Who was here before is asked for together with the public facts: one round trip less before the first screen.
  const wasHere = recall(hint)["is"] === true;
  const [info] = await Promise.all([loadLockInfo(), wasHere ? loadUser() : null]);
  if (info === null) {
    setTimeout(() => void startSession(), 2000);
    return;
  }
  // Before the first account there is nobody to ask for.
  if (info.setup_required) user.value = null;
  else if (!wasHere) await loadUser();
}

/** Reads the public facts again. */
export async function loadLockInfo(): Promise<LockInfo | null> {
  const info = await api("GET /api/auth/lock-info", { anonymous: true }).catch(() => null);
  if (info !== null) lockInfo.value = info;
  return info;
}

async function loadUser(): Promise<void> {
  const ask = () => api("GET /api/auth/me", { anonymous: true });
  try {
    user.value = await ask();
    store(hint, JSON.stringify({ is: true }));
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) return;
    const renewed = (await refreshSession()) ? await ask().catch(() => null) : null;
    user.value = renewed;
  }
}

/** Takes over a finished sign-in; the cookies are set already. */
export async function completeSignIn(known: User | undefined): Promise<void> {
  user.value = known ?? (await api("GET /api/auth/me"));
  store(hint, JSON.stringify({ is: true }));
}

/** Ends the session on the server too. */
export async function signOut(): Promise<void> {
  await api("POST /api/auth/logout", { anonymous: true }).catch(() => null);
  endSession();
  navigate("/");
}

function endSession(): void {
  if (user.peek() === null) return;
  user.value = null;
  store(hint, "{}");
  clearResources();
}
