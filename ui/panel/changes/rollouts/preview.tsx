import { useEffect, useState } from "preact/hooks";
import type { RolloutInput, RolloutPreview } from "../../../../src/panel/changes/rollouts/contract.ts";
import { count } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";

/** While somebody types, the panel is not asked at each letter. */
const restMs = 350;

/** Who would take part. */
export interface Preview {
  value: RolloutPreview | null;
  problem: Problem | null;
}

const nothing: Preview = { value: null, problem: null };

/** Asks the panel who would take part in what stands in the fields. */
export function usePreview(input: RolloutInput | null): Preview {
  const [preview, setPreview] = useState<Preview>(nothing);
  const asked = input === null ? "" : JSON.stringify(input);
  useEffect(() => {
    if (asked === "" || input === null) {
      setPreview(nothing);
      return;
    }
    let isLatest = true;
    const timer = setTimeout(() => {
      api("POST /api/fleet/rollouts/preview", { body: input })
        .then((value) => isLatest && setPreview({ value, problem: null }))
        .catch((error: unknown) => isLatest && setPreview({ value: null, problem: asProblem(error) }));
    }, restMs);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return preview;
}

/** What would happen, stage by stage. */
export function PreviewList({ preview: { value, problem }, isReady }: { preview: Preview; isReady: boolean }) {
  if (problem !== null) return <Refusal problem={problem} wait={0} />;
  return (
    <section class="rollpreview" aria-label="Who takes part" aria-live="polite">
      {!isReady && <p class="t13 c3">Fill in the fields to see which nodes would take part.</p>}
      {isReady && value === null && <p class="t13 c3">Looking up the nodes…</p>}
      {value !== null && <Found value={value} />}
    </section>
  );
}

function Found({ value: { nodes, stages, left_out } }: { value: RolloutPreview }) {
  const left = [
    ...(left_out.offline > 0 ? [`${left_out.offline} offline`] : []),
    ...(left_out.on_target > 0 ? [`${left_out.on_target} on this version already`] : []),
    ...(left_out.busy > 0 ? [`${left_out.busy} in another rollout`] : []),
    ...(left_out.without_app > 0 ? [`${left_out.without_app} without the app`] : []),
  ];
  return (
    <>
      <p class="w5">{nodes === 0 ? "No node would take part" : `${count(nodes, "node")} take part`}</p>
      {left.length > 0 && <p class="t13 c3">Left out: {left.join(", ")}.</p>}
      {nodes > 0 && (
        <ol>
          {stages.map((stage, index) => (
            <li key={index}>
              <b>{stage.percent}%</b> {count(stage.nodes, "new node")}
              {stage.first.length > 0 && (
                <span class="c3">
                  : {stage.first.join(", ")}
                  {stage.nodes > stage.first.length ? " …" : ""}
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
