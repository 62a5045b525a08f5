import { useState } from "preact/hooks";
import type { Rollout } from "../../../../src/panel/changes/rollouts/contract.ts";
import { ago, count } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, LockedPart } from "../../../kit/card.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Chip } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { Composer } from "./composer.tsx";
import { kindWords, stateLook } from "./words.ts";

/** Rollouts of the workspace, the newest first. */
export function RolloutsScreen() {
  const rollouts = useResource("GET /api/fleet/rollouts", { everyMs: 10_000 });
  const [isOpen, open] = useState(false);
  const isGated = rollouts.data.value?.gated === true;
  const mayBegin = may("fleet:write") && !isGated;
  const begin = (
    <Button kind="primary" icon="plus" onClick={() => open(true)}>
      New rollout
    </Button>
  );
  return (
    <div class="page">
      <header class="head">
        <h1>Rollouts</h1>
        {mayBegin && (rollouts.data.value?.rollouts.length ?? 0) > 0 && <span class="push">{begin}</span>}
      </header>
      <Loaded of={rollouts} what="Rollouts">
        {(data) => (
          <>
            {isGated && (
              <LockedPart title="Part of the business plan">
                New rollouts need the {data.required_plan} plan. What was begun before goes on, and can be paused,
                promoted and rolled back.
              </LockedPart>
            )}
            {data.rollouts.length === 0 && !isGated && (
              <EmptyState title="No rollout yet" action={mayBegin ? begin : undefined}>
                A rollout changes a few nodes first, watches them, and goes on only when they are well. It stops by
                itself when they are not, and can take everything back.
              </EmptyState>
            )}
            {data.rollouts.length > 0 && (
              <Card>
                <ul class="rows">
                  {data.rollouts.map((rollout) => (
                    <Row key={rollout.id} rollout={rollout} />
                  ))}
                </ul>
              </Card>
            )}
          </>
        )}
      </Loaded>
      {isOpen && <Composer onClose={() => open(false)} />}
    </div>
  );
}

function Row({ rollout }: { rollout: Rollout }) {
  const { id, name, state, total_nodes, done_nodes, current_stage, stages } = rollout;
  const look = stateLook[state];
  const share = total_nodes === 0 ? 0 : (done_nodes / total_nodes) * 100;
  return (
    <li>
      <a class="item rolloutrow" href={`/rollouts/${id}`}>
        <span class="body">
          <span class="title">{name}</span>
          <span class="t13 c3">
            {kindWords[rollout.kind]} {rollout.target_version}, {count(total_nodes, "node")}, {ago(rollout.created_at)}
            {rollout.legacy ? ", older canary" : ""}
          </span>
        </span>
        <span class="progress">
          <Meter value={share} label={`Nodes of ${name} that have it`} tone={state === "paused" ? "warn" : "acc"} />
          <span class="t12 c3">
            Stage {current_stage} of {stages.length}, {done_nodes.toLocaleString("en")} updated
          </span>
        </span>
        <Chip state={look.state}>{look.word}</Chip>
      </a>
    </li>
  );
}
