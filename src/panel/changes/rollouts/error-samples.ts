import { minutes } from "../../../lib/duration.ts";
import type { NodeFigures } from "../../agents/live/index.ts";
import type { NodeFact } from "./engine/model.ts";

type Sample = NodeFact["error_rate"][number];

/** So many minutes of a node are kept: the gate wants three. */
const KEPT = 30;
const MINUTE_MS = minutes(1);

/** What the nodes of rollouts told of failed requests, minute by minute, from when they were first looked at here. */
export interface ErrorSamples {
  /** Takes what a node told last, unless that is known already; gives all that is known of it. */
  note(rolloutId: string, no: number, figures: NodeFigures): readonly Sample[];
  /** Forgets a rollout. */
  forget(rolloutId: string): void;
}

export function createErrorSamples(): ErrorSamples {
  const rollouts = new Map<string, Map<number, Sample[]>>();

  return {
    note(rolloutId, no, { last_seen, error_rate, requests }) {
      const nodes = rollouts.get(rolloutId) ?? new Map<number, Sample[]>();
      rollouts.set(rolloutId, nodes);
      const known = nodes.get(no) ?? [];
      const last = known.at(-1);
      // A clock that was set back begins anew.
      const before = last && last.t > last_seen ? [] : known;
      if (Number.isNaN(error_rate) || last?.t === last_seen) return known;
      const fresh = { t: last_seen, value: error_rate, requests: Number.isNaN(requests) ? 0 : requests };
      const samples =
        before.length > 0 && last && sameMinute(last.t, last_seen)
          ? [...before.slice(0, -1), mix(last, fresh)]
          : [...before, fresh];
      nodes.set(no, samples.slice(-KEPT));
      return samples.slice(-KEPT);
    },
    forget: (rolloutId) => void rollouts.delete(rolloutId),
  };
}

const sameMinute = (a: number, b: number): boolean => Math.floor(a / MINUTE_MS) === Math.floor(b / MINUTE_MS);

/** Two that were told within one minute, by how many requests each is of. */
function mix(before: Sample, next: Sample): Sample {
  const requests = before.requests + next.requests;
  const value =
    requests === 0
      ? (before.value + next.value) / 2
      : (before.value * before.requests + next.value * next.requests) / requests;
  return { t: next.t, value, requests };
}
