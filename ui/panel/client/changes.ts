import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LiveChange } from "../../../src/panel/platform/live-changes/contract.ts";
import type { StreamEvent } from "../../client/sse.ts";
import { user } from "./session.ts";
import { followStream } from "./stream.ts";

/** What the panel tells of. */
export type Topic = "fleet" | "notifications" | "presence" | "team";

/** Without the stream a page asks by itself. */
const pollMs = 15_000;
/** A page that nobody sees lets go of its stream after so long: a browser has only a few connections for all its tabs. */
const unseenMs = 10_000;

/** One stream for everything that a page shows; each listener with its topic. */
const listeners = new Map<() => void, Topic>();
let stop: (() => void) | null = null;
/** Whether the stream has said its first word, which is about all topics: until then nobody needs to ask. */
let hasBegun = false;
let openings = 0;
/** Another number for each time that the stream began, 0 without one: by it the panel knows that somebody looks. */
export const followed = signal(0);
let leaving: ReturnType<typeof setTimeout> | undefined;

function tell(topics: readonly string[] | null): void {
  for (const [listener, topic] of [...listeners]) if (topics === null || topics.includes(topic)) listener();
}

function follow(): () => void {
  let poll: ReturnType<typeof setInterval> | undefined;
  const end = followStream("/api/changes", {
    onEvent(event) {
      hasBegun = true;
      if (isChange(event)) tell(event.data.topics);
    },
    onOpen: () => {
      openings += 1;
      followed.value = openings;
    },
    onRefused: () => {
      followed.value = 0;
      hasBegun = true;
      tell(null);
      poll = setInterval(() => tell(null), pollMs);
    },
  });
  return () => {
    end();
    clearInterval(poll);
  };
}

const isChange = (event: StreamEvent): event is StreamEvent & { data: LiveChange } => event.type === "changed";

function leave(): void {
  stop?.();
  stop = null;
  hasBegun = false;
  followed.value = 0;
}

function visibilityChanged(): void {
  clearTimeout(leaving);
  if (document.visibilityState === "hidden") leaving = setTimeout(leave, unseenMs);
  else if (listeners.size > 0) stop ??= follow();
}

let workspace: string | undefined;
// A stream tells of the workspace in which it began.
effect(() => {
  const { tenant_id } = user.value ?? {};
  if (tenant_id === workspace) return;
  workspace = tenant_id;
  if (stop === null) return;
  leave();
  visibilityChanged();
});

/** Calls `listener` when the topic may have changed, and soon after it begins to listen, until the returned function is called. */
function listen(topic: Topic, listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener("visibilitychange", visibilityChanged);
  listeners.set(listener, topic);
  if (stop === null) visibilityChanged();
  else if (hasBegun) listener();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", visibilityChanged);
    clearTimeout(leaving);
    leave();
  };
}

/** Calls `onChange` after changes of a topic, at most once in `leastMs`, and not while the page is hidden but once it is seen. */
export function useChanges(topic: Topic, onChange: () => Promise<void>, leastMs: number): void {
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
    const stopListening = listen(topic, plan);
    document.addEventListener("visibilitychange", seen);
    return () => {
      stopListening();
      clearTimeout(state.timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [topic, leastMs]);
}
