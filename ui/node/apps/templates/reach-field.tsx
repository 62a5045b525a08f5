import type { PlanCheck, Reach } from "../../../../src/node/apps/apps/contract.ts";
import { Segmented } from "../../../kit/choice.tsx";
import { Glyph } from "../../../kit/status.tsx";

/** Who may reach an app, as choices of a form. */
export const reachChoices: { value: Reach; label: string }[] = [
  { value: "loopback", label: "This server only" },
  { value: "lan", label: "Your network" },
];

/** Who can reach an app, with what the server says about it. */
export function ReachField({
  value,
  checks,
  onValue,
}: {
  value: Reach;
  checks: PlanCheck[];
  onValue: (value: Reach) => void;
}) {
  const check = checks.find(({ id }) => id === "reach");
  return (
    <div class="field">
      <span class="label">Who can reach it</span>
      <Segmented label="Who can reach it" size="wide" value={value} options={reachChoices} onValue={onValue} />
      {check !== undefined && (
        <p class="hint" aria-live="polite">
          <Glyph state={check.status === "ok" ? "ok" : "warn"} />
          {check.detail} {check.next_step}
        </p>
      )}
    </div>
  );
}
