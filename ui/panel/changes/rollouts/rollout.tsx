import { useState } from "preact/hooks";
import type { RolloutDetail } from "../../../../src/panel/changes/rollouts/contract.ts";
import { ago, count } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Chip } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useCrumb } from "../../../shell/title.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { type Decision, DecisionDialog } from "./decision-dialog.tsx";
import { GateDials } from "./gate-dials.tsx";
import { NodeDots } from "./node-dots.tsx";
import { StageTrack } from "./stage-track.tsx";
import { TimelineCard } from "./timeline-card.tsx";
import { decisionOf, kindWords, stateLook } from "./words.ts";

/** One rollout: its stages, its gates, its nodes, what happened, and the one thing to decide. */
export function RolloutPage({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const detail = useResource("GET /api/fleet/rollouts/{id}", {
    path: { id },
    query: { nodes: "true" },
    everyMs: 5_000,
  });
  const [asked, ask] = useState<Decision | null>(null);
  useCrumb(detail.data.value?.name ?? null);
  return (
    <div class="page">
      <Loaded of={detail} what="This rollout" missing={<Gone />}>
        {(rollout) => (
          <>
            <Head rollout={rollout} onAsk={ask} />
            <ToDecide rollout={rollout} onAsk={ask} />
            <StageTrack rollout={rollout} />
            <div class="grid12">
              <GateDials rollout={rollout} />
              <TimelineCard timeline={rollout.timeline} />
              <NodeDots rollout={rollout} />
              <PlanCard rollout={rollout} />
            </div>
            {asked !== null && (
              <DecisionDialog rollout={rollout} decision={asked} onDone={detail.refresh} onClose={() => ask(null)} />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

interface Part {
  rollout: RolloutDetail;
  onAsk: (decision: Decision) => void;
}

function Head({ rollout, onAsk }: Part) {
  const { state, legacy, created_by, created_by_name } = rollout;
  const look = stateLook[state];
  const isOver = state === "completed" || state === "rolled_back" || state === "rolling_back";
  return (
    <header class="head rollhead">
      <div class="col">
        <div class="row wrap">
          <h1>{rollout.name}</h1>
          <Chip state={look.state}>{look.word}</Chip>
        </div>
        <p class="t13 c3">
          {count(rollout.total_nodes, "node")}, begun {ago(rollout.created_at)} by{" "}
          {created_by === "panel" ? "the panel itself" : (created_by_name ?? "a former member")}
          {rollout.rolled_back_with_failures ? ". Some nodes have not gone back yet." : ""}
        </p>
      </div>
      {may("fleet:write") && !isOver && (
        <div class="btns">
          {state === "running" && !legacy && (
            <Button icon="pause" onClick={() => onAsk("pause")}>
              Pause
            </Button>
          )}
          <Button kind="danger" icon="restart" onClick={() => onAsk("rollback")}>
            Roll back
          </Button>
        </div>
      )}
    </header>
  );
}

/** What somebody has to decide now, with the ways to do it. */
function ToDecide({ rollout, onAsk }: Part) {
  const decision = decisionOf(rollout);
  if (decision === null) return null;
  const isPaused = rollout.state === "paused";
  const isLast = rollout.current_stage === rollout.stages.length;
  return (
    <section class={`card rolldecide ${isPaused ? "is-paused" : ""}`} aria-label="To decide" role="status">
      <div class="col">
        <p class="w6">{decision.title}</p>
        <p class="t13 c2">{decision.text}</p>
      </div>
      {may("fleet:write") && (
        <div class="btns">
          {isPaused && !rollout.legacy && (
            <Button kind="primary" icon="play" onClick={() => onAsk("resume")}>
              Resume
            </Button>
          )}
          <Button kind={isPaused && !rollout.legacy ? "default" : "primary"} onClick={() => onAsk("promote")}>
            {isLast ? "Finish it" : `Promote to stage ${rollout.current_stage + 1}`}
          </Button>
        </div>
      )}
    </section>
  );
}

function PlanCard({ rollout }: { rollout: RolloutDetail }) {
  const { filter, action } = rollout;
  const whom = [
    ...(filter.group_ids.length > 0 ? [count(filter.group_ids.length, "group")] : []),
    ...filter.regions.map((region) => `region ${region}`),
    ...filter.tags.map((tag) => `tag ${tag}`),
    ...(filter.instance_count > 0 ? [count(filter.instance_count, "chosen node")] : []),
  ];
  return (
    <Card title="Plan" w={4}>
      <dl class="dl card-b">
        <dt>Kind</dt>
        <dd>{kindWords[rollout.kind]}</dd>
        <dt>To</dt>
        <dd>{rollout.target_version}</dd>
        <dt>Nodes</dt>
        <dd>{whom.length === 0 ? "All that were online" : whom.join(", ")}</dd>
        {action !== undefined && (
          <>
            <dt>Sends</dt>
            <dd>{action.command_type}</dd>
            <dt>Way back</dt>
            <dd>{action.rollback_command_type}</dd>
          </>
        )}
        <dt>Next stage</dt>
        <dd>{rollout.auto_promote ? "By itself" : "By somebody’s word"}</dd>
        <dt>Soak</dt>
        <dd>{Math.round(rollout.soak_sec / 60)} min</dd>
      </dl>
    </Card>
  );
}

function Gone() {
  return (
    <EmptyState
      title="There is no such rollout"
      page
      action={<LinkButton href="/rollouts">See all rollouts</LinkButton>}
    >
      It may be of another workspace.
    </EmptyState>
  );
}
