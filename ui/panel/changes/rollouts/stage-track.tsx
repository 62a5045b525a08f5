import type { RolloutDetail, StageView } from "../../../../src/panel/changes/rollouts/contract.ts";
import { count } from "../../../client/format.ts";
import { Meter } from "../../../kit/progress.tsx";
import { Status } from "../../../kit/status.tsx";
import { stageLook, stageText } from "./words.ts";

const tones = { done: "ok", active: "acc", soaking: "acc", awaiting_promotion: "ok", paused: "warn" } as const;

const isKnown = (state: StageView["state"]): state is keyof typeof tones => Object.hasOwn(tones, state);

/** The stages side by side, each with how far it is. */
export function StageTrack({ rollout }: { rollout: RolloutDetail }) {
  return (
    <ol class="card rail" aria-label="Stages">
      {rollout.stage_views.map((stage) => {
        const look = stageLook[stage.state];
        const isNow = ["active", "soaking", "awaiting_promotion", "paused"].includes(stage.state);
        const isAhead = stage.state === "next" || stage.state === "waiting";
        return (
          <li
            key={stage.stage}
            class={`stg ${isNow ? "now" : ""} ${isAhead ? "todo" : ""}`}
            aria-current={isNow ? "step" : undefined}
          >
            <Status state={look.state}>{look.word}</Status>
            <p class="big">
              <b>{stage.percent}%</b>
              <span>{count(stage.target_nodes, "node")}</span>
            </p>
            <Meter
              value={isAhead ? 0 : stage.done_pct}
              label={`Stage ${stage.stage}`}
              tone={isKnown(stage.state) ? tones[stage.state] : "off"}
            />
            <p class="t13 c2">{stageText(stage, rollout)}</p>
          </li>
        );
      })}
    </ol>
  );
}
