import { minutes } from "../../../../lib/duration.ts";
import type { EngineEvent } from "../../runtime/index.ts";
import type { Death } from "../state.ts";
import type { OomJudge } from "./oom-kills.ts";

/** INT, QUIT and TERM: requests to end, as opposed to `docker kill`. */
const POLITE_SIGNALS = ["2", "3", "15"];
/** Longest time between such a request and the end it leads to. */
const GRACE_MS = minutes(2);

/** Knows how and by whose will containers ended, from the engine's events in their order. */
export interface ContainerEnds {
  note(event: EngineEvent): void;
  /** Whether somebody stopped the container, and it has not started since. */
  wasStopped(containerId: string): boolean;
  /** Forgets who stopped what: nothing is known of the time without events. */
  reset(): void;
}

/** Keeps `deaths` up to date: one entry for each container that ended and still exists. */
export function createContainerEnds(deaths: Map<string, Death>, judge: OomJudge): ContainerEnds {
  const stopped = new Set<string>();
  const oomKilled = new Set<string>();
  const signals = new Map<string, { signal: string; at: number }>();

  function wasAsked(id: string, at: number): boolean {
    const sent = signals.get(id);
    return sent !== undefined && POLITE_SIGNALS.includes(sent.signal) && at - sent.at < GRACE_MS;
  }

  function forgetRun(id: string): void {
    stopped.delete(id);
    signals.delete(id);
    oomKilled.delete(id);
  }

  return {
    note({ action, id, attributes, at }) {
      switch (action) {
        case "start":
          return forgetRun(id);
        case "destroy":
          forgetRun(id);
          deaths.delete(id);
          return;
        case "stop":
          stopped.add(id);
          return;
        case "kill":
          // A request counts more than the SIGKILL that follows when it is not heeded.
          if (!wasAsked(id, at)) signals.set(id, { signal: attributes["signal"] ?? "", at });
          return;
        case "oom": {
          // The kernel's word may come before or after that of the container's end.
          oomKilled.add(id);
          const death = deaths.get(id);
          if (death) deaths.set(id, { ...death, is_oom: true });
          return;
        }
        case "die": {
          const exit_code = Number(attributes["exitCode"] ?? "0");
          // Under load the engine's own word for it, `stop`, comes too late.
          if (wasAsked(id, at)) stopped.add(id);
          deaths.set(id, { exit_code, is_oom: judge.isOom(exit_code, signals.has(id)) || oomKilled.has(id), at });
        }
      }
    },
    wasStopped: (id) => stopped.has(id),
    reset() {
      stopped.clear();
      signals.clear();
    },
  };
}
