import { effect } from "@preact/signals";
import { path } from "../../../client/router.ts";
import { api } from "../../client/api.ts";
import { user } from "../../client/session.ts";

/** Often enough to count as online all the time. */
const everyMs = 40_000;
/** Whoever only passes through a page is not announced there. */
const settleMs = 1000;

/** Tells the panel which page is looked at, as long as it is looked at; what fails is told again by the next beat. */
export function startBeats(): () => void {
  let soon: ReturnType<typeof setTimeout> | undefined;
  const beat = (): void => {
    if (document.visibilityState !== "visible" || !user.peek()) return;
    const page = path.peek().slice(0, 200);
    void api("POST /api/presence/heartbeat", { body: { page } }).catch(() => {});
  };
  const stopFollowing = effect(() => {
    void path.value;
    clearTimeout(soon);
    soon = setTimeout(beat, settleMs);
  });
  const timer = setInterval(beat, everyMs);
  document.addEventListener("visibilitychange", beat);
  return () => {
    stopFollowing();
    clearTimeout(soon);
    clearInterval(timer);
    document.removeEventListener("visibilitychange", beat);
  };
}
