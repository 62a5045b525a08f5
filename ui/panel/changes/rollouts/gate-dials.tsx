import type { GateValue, RolloutDetail } from "../../../../src/panel/changes/rollouts/contract.ts";
import { duration } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { Chip } from "../../../kit/status.tsx";
import { dialOf, gatesVerdict, gateText } from "./words.ts";

/** What has to hold before the next stage begins: each gate with its value, its limit and what speaks for it. */
export function GateDials({ rollout }: { rollout: RolloutDetail }) {
  const verdict = gatesVerdict(rollout.gate_values);
  const soaked = rollout.soaked_sec;
  return (
    <Card
      title={`Gates, stage ${rollout.current_stage}`}
      w={8}
      aside={soaked === null ? undefined : `soaked ${duration(soaked)} of ${duration(rollout.soak_sec)}`}
      actions={<Chip state={verdict.state}>{verdict.word}</Chip>}
    >
      {rollout.gate_values.length === 0 ? (
        <p class="card-b t13 c3">They are read as soon as the first node has been sent the change.</p>
      ) : (
        <ul class="gates rows sep">
          {rollout.gate_values.map((gate) => (
            <Dial key={gate.gate} gate={gate} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Dial({ gate }: { gate: GateValue }) {
  const text = gateText(gate);
  const dial = dialOf(gate);
  const style: Record<string, string> = { "--v": `${dial.value}%`, "--t": `max(${dial.limit}%, 12px)` };
  return (
    <li class={gate.verdict === "breach" ? "is-breach" : ""}>
      <span class="col">
        <span class="w5">{text.name}</span>
        <span class="t12 c3 from">{text.from}</span>
      </span>
      <span class="track" style={style} aria-hidden="true">
        {gate.verdict !== "not_applicable" && <i class={gate.value === 0 ? "zero" : ""} />}
      </span>
      <span class="lim">
        <b>{text.value}</b> of {text.limit}
      </span>
    </li>
  );
}
