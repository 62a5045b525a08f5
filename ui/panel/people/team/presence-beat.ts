import { effect } from "@preact/signals";
import { path } from "../../../client/router.ts";
import { api } from "../../client/api.ts";
import { followed } from "../../client/changes.ts";
import { user } from "../../client/session.ts";

/** Often enough to count as online all the time where no stream says that the page is looked at. */
const everyMs = 40_000;
/** Whoever only passes through a page is not announced there. */
const settleMs = 2000;

/**
 * Tells the panel which page is looked at: when it is another one, and when the stream began anew, since the panel may have forgotten. While
 * there is a stream it needs no more than that; what fails is told again by the next beat.
 */
export function startBeats(): () => void {
  let soon: ReturnType<typeof setTimeout> | undefined;
  let isTold = false;
  const beat = async (): Promise<void> => {
    if (document.visibilityState !== "visible" || !user.peek()) return;
    const page = path.peek().slice(0, 200);
    isTold = await api("POST /api/presence/heartbeat", { body: { page } }).then(
      () => true,
      () => false,
    );
  };
  const stopFollowing = effect(() => {
    void path.value;
    void followed.value;
    clearTimeout(soon);
    soon = setTimeout(beat, settleMs);
  });
  const timer = setInterval(() => (isTold && followed.peek() > 0) || beat(), everyMs);
  return () => {
    stopFollowing();
    clearTimeout(soon);
    clearInterval(timer);
  };
}
