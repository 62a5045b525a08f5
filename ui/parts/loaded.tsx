import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { duration } from "../client/format.ts";
import type { Problem } from "../client/problem.ts";
import type { Resource } from "../client/resource.ts";
import { ErrorCard, LockedPart, Skeleton } from "../kit/card.tsx";

interface LoadedProps<T> {
  of: Resource<T>;
  /** What it is, for the sentences: "Apps". */
  what: string;
  skeleton?: ComponentChildren;
  /** In place of the usual words where there is no such thing. */
  missing?: ComponentChildren;
  children: (data: T) => ComponentChildren;
}

/** Shows data as soon as there is any; old data stays, dimmed and with its age, while the server has trouble. */
export function Loaded<T>({ of, what, skeleton, missing, children }: LoadedProps<T>) {
  const data = of.data.value;
  const problem = of.problem.value;
  if (data === null) {
    if (problem === null) return <>{skeleton ?? <Skeleton />}</>;
    if (problem.status === 404 && missing !== undefined) return <>{missing}</>;
    return <ProblemCard problem={problem} what={what} retry={() => void of.refresh()} />;
  }
  if (problem === null) return <>{children(data)}</>;
  return (
    <div class="stale">
      <Age since={of.updatedAt.value} />
      {children(data)}
    </div>
  );
}

function Age({ since }: { since: number }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 5000);
    return () => clearInterval(timer);
  }, []);
  return <p class="age">updated {duration((Date.now() - since) / 1000)} ago</p>;
}

/** Titles of refusals that say more than that an administrator is needed. */
const refusals: Record<string, string> = {
  permission_missing: "Not for your role",
  workspace_suspended: "This workspace is suspended",
  reauth_required: "Not in this session",
};

/** The card for a failed call: each kind of refusal has its own words and its own way out. */
export function ProblemCard({ problem, what, retry }: { problem: Problem; what: string; retry: () => void }) {
  if (problem.status === 403) {
    return (
      <LockedPart title={refusals[problem.code] ?? "Needs an administrator"}>
        {problem.code === "forbidden"
          ? `Your account may not see ${what.toLowerCase()}. Ask an administrator.`
          : problem.message}
      </LockedPart>
    );
  }
  if (problem.status === 402) return <PlanGate problem={problem} />;
  if (problem.status === 404)
    return <ErrorCard title={`${what}: not found`} why={problem.message} code={problem.code} />;
  if (problem.status === 0 && problem.code === "unreachable") {
    return (
      <ErrorCard
        title={`${what}: no answer`}
        why="The server cannot be reached right now. This card comes back by itself."
        action={{ label: "Try again", run: retry }}
        code={problem.code}
      />
    );
  }
  const wait = problem.retryAfter === null ? null : `Wait ${duration(problem.retryAfter)} before the next try.`;
  return (
    <ErrorCard
      title={`${what} did not load`}
      why={problem.message}
      remedy={wait ?? nextStep(problem)}
      action={{ label: "Try again", run: retry }}
      code={problem.code}
    />
  );
}

/** A part that another plan has; names that plan. */
export function PlanGate({ problem }: { problem: Problem }) {
  const plan = problem.params["required_plan"];
  return (
    <LockedPart title="Not part of this plan">
      {typeof plan === "string" ? `${problem.message} The ${plan} plan has it.` : problem.message}
    </LockedPart>
  );
}

/** What the server says to do next, or null. */
export function nextStep(problem: Problem): string | null {
  const step = problem.params["next_step"];
  return typeof step === "string" && step !== "" ? step : null;
}
