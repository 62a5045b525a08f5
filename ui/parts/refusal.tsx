import { useMemo } from "preact/hooks";
import { useSecondsLeft } from "../client/countdown.ts";
import { stopwatch } from "../client/format.ts";
import type { Problem } from "../client/problem.ts";
import { Glyph } from "../kit/status.tsx";

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
  if (problem.status === 429) {
    return (
      <p class={`hint ${wait === 0 ? "ok" : "crit"}`} role="alert">
        <Glyph state={wait > 0 ? "warn" : "ok"} />
        <span>
          Too many tries from this address.{" "}
          <span role="timer">{wait > 0 ? `Try again in ${stopwatch(wait * 1000)}.` : "You can try again now."}</span>
        </span>
      </p>
    );
  }
  const upgrade = problem.params["upgrade_url"];
  const plans = typeof upgrade === "string" && upgrade.startsWith("/") ? upgrade : null;
  return (
    <p class="hint crit" role="alert">
      <Glyph state="crit" />
      <span>
        {problem.message}
        {problem.message.includes(tries.trim()) ? "" : tries}
        {plans !== null && (
          <>
            {" "}
            <a href={plans}>What the plans include</a>
          </>
        )}
      </span>
    </p>
  );
}
