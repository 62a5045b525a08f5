import { useMemo } from "preact/hooks";
import { timer, useSecondsLeft } from "../../client/countdown.ts";
import type { Problem } from "../../client/problem.ts";
import { Glyph } from "../../kit/status.tsx";

/** Seconds until a refused call may be made again; 0 when it may be made now. */
export function useWait(problem: Problem | null): number {
  const until = useMemo(
    () => (problem === null || problem.retryAfter === null ? null : Date.now() + problem.retryAfter * 1000),
    [problem],
  );
  return useSecondsLeft(until);
}

/** Why a form was refused, how many tries are left, and for a limit the time until the next one. */
export function Refusal({ problem, wait = 0 }: { problem: Problem; wait?: number }) {
  const left = problem.params["attempts_left"];
  const tries = typeof left === "number" ? ` ${left} ${left === 1 ? "try" : "tries"} left.` : "";
  const limited = problem.status === 429;
  const words = limited
    ? wait > 0
      ? `Too many tries. The next one is possible in ${timer(wait)}.`
      : "You can try again now."
    : `${problem.message}${problem.message.includes(tries.trim()) ? "" : tries}`;
  return (
    <p class={`hint ${limited && wait === 0 ? "ok" : "crit"}`} role="alert">
      <Glyph state={limited ? (wait > 0 ? "warn" : "ok") : "crit"} />
      <span>{words}</span>
    </p>
  );
}
