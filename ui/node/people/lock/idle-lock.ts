import { onShared, share } from "../../../client/leader.ts";
import { lockedSince } from "../../client/lock.ts";
import { resource } from "../../client/resource.ts";
import { lockSession } from "../../client/session.ts";

const tellEveryMs = 5000;

/**
 * Locks the session after the minutes of the account's preference without input in any tab. The server's own clock does not
 * see that nobody sits there while a page keeps asking for figures. Returns the way to stop.
 */
export function startIdleLock(): () => void {
  const preference = resource("GET /api/auth/auto-lock");
  void preference.load();
  let lastInput = Date.now();
  let lastTold = 0;
  let busy = false;

  const note = (): void => {
    lastInput = Date.now();
    if (lastInput - lastTold < tellEveryMs) return;
    lastTold = lastInput;
    share("input", lastInput);
  };
  const stopListening = onShared((topic, value) => {
    if (topic === "input" && typeof value === "number") lastInput = Math.max(lastInput, value);
  });
  const types = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"];
  for (const type of types) addEventListener(type, note, { passive: true, capture: true });
  const look = async (): Promise<void> => {
    const minutes = preference.data.peek()?.minutes ?? null;
    if (minutes === null || busy || lockedSince.peek() !== null) return;
    if (Date.now() - lastInput < minutes * 60_000) return;
    busy = true;
    await lockSession();
    busy = false;
  };
  const timer = setInterval(() => void look(), 1000);
  return () => {
    clearInterval(timer);
    stopListening();
    for (const type of types) removeEventListener(type, note, { capture: true });
  };
}
