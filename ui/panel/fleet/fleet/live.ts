import { useEffect, useRef } from "preact/hooks";
import { onReconnect } from "../../../client/connection.ts";
import { followStream } from "../../../client/sse.ts";
import { access } from "../../client/api.ts";

/** Without the stream the list asks by itself. */
const pollMs = 15_000;

/** Calls `onChange` after changes in the fleet, at most once in `leastMs`, and not while the page is hidden but once it is seen. */
export function useChanges(onChange: () => Promise<void>, leastMs: number): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const state = { isDirty: false, isBusy: false, timer: undefined as ReturnType<typeof setTimeout> | undefined };
    const run = async (): Promise<void> => {
      state.timer = undefined;
      if (document.visibilityState === "hidden" || state.isBusy) return;
      state.isDirty = false;
      state.isBusy = true;
      await latest.current().catch(() => {});
      state.isBusy = false;
      if (state.isDirty) plan();
    };
    const plan = (): void => {
      state.isDirty = true;
      state.timer ??= setTimeout(run, leastMs);
    };
    const seen = (): void => {
      if (state.isDirty && state.timer === undefined) void run();
    };
    let poll: ReturnType<typeof setInterval> | undefined;
    const stop = followStream("/api/fleet/changes", access, {
      onEvent: ({ type }) => type === "changed" && plan(),
      onRefused: () => {
        poll = setInterval(plan, pollMs);
      },
    });
    const stopReconnect = onReconnect(plan);
    document.addEventListener("visibilitychange", seen);
    return () => {
      stop();
      stopReconnect();
      clearTimeout(state.timer);
      clearInterval(poll);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [leastMs]);
}
