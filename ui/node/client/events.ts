import { onShared, share, whenLeading } from "../../client/leader.ts";
import type { Reaction } from "../../shell/feature.ts";
import { eventBeforeLoad } from "./api.ts";
import { liftLock, raiseLock, setLockTeller } from "./lock.ts";
import { checkSession, user } from "./session.ts";
import { followStream } from "./stream.ts";

let reactions: readonly Reaction[] = [];

/** Says, once for the page, which features react to events. */
export function setReactions(all: readonly Reaction[]): void {
  reactions = all;
}

/** Follows what happens on the server and lets features take it in, in all tabs. Returns the way to stop. */
export function startEvents(): () => void {
  const stopListening = onShared((topic, value) => {
    if (topic.startsWith("event:")) react(topic.slice(6), value);
    // What this tab has shared arrives here too, and changes nothing then.
    if (topic === "locked") {
      if (value === true) raiseLock({ quiet: true });
      else liftLock({ quiet: true });
    }
    if (topic === "ended" && user.peek()) void checkSession();
  });
  setLockTeller((isLocked) => share("locked", isLocked));
  const stopStream = whenLeading(() => {
    // Behind what this page has just loaded nothing is missed, so nothing has to be loaded again.
    const after = eventBeforeLoad();
    let isKnown = after !== null;
    return followStream("/api/events/stream", {
      ...(after === null ? {} : { after }),
      onOpen() {
        if (!isKnown) share("event:stream.open", null);
        isKnown = false;
      },
      onEvent: (event) => share(`event:${event.type}`, event.data),
    });
  });
  return () => {
    stopStream();
    stopListening();
  };
}

/** Gives one event to the features that asked for it, by its name or by the part before the dot. */
function react(type: string, data: unknown): void {
  const family = `${type.split(".")[0]}.*`;
  for (const { onOpen, on } of reactions) {
    if (type === "stream.open" || type === "reset") onOpen?.();
    on?.[type]?.(data);
    on?.[family]?.(data);
  }
}
