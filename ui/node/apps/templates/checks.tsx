import { useState } from "preact/hooks";
import type { InstallPlan, PlanCheck } from "../../../../src/node/apps/apps/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";

const glyphs: Record<PlanCheck["status"], State> = { ok: "ok", warn: "warn", fail: "crit" };

/** The preflight: one line per check, with what to do where one does not pass. */
export function Checks({
  plan,
  ports,
  onPort,
}: {
  plan: InstallPlan;
  ports: Record<string, number>;
  onPort: (key: string, port: number) => void;
}) {
  const [editing, edit] = useState(false);
  // The name and the reach have their own fields, permissions their own list.
  const shown = plan.checks.filter(({ id }) => id !== "name" && id !== "permissions" && id !== "reach");
  return (
    <div>
      <h3 class="sub-h">Checks</h3>
      <ul class="checks">
        {shown.map((check) => (
          <li key={`${check.id} ${check.title}`}>
            <Glyph state={glyphs[check.status]} />
            <b>{check.title}</b>
            <span class="v">
              {check.detail}
              {check.next_step !== null && check.status !== "ok" && <span class="next">{check.next_step}</span>}
            </span>
            {check.id === "port" && plan.ports.length > 0 ? (
              <Button size="sm" kind="ghost" onClick={() => edit(!editing)}>
                Change
              </Button>
            ) : (
              <Share check={check} />
            )}
          </li>
        ))}
      </ul>
      {editing && (
        <div class="two ports">
          {plan.ports.map((port) => {
            const key = `${port.service}:${port.container}`;
            return (
              <label class="field" key={key}>
                <span class="label">Port for {port.purpose || port.service}</span>
                <span class="input">
                  <input
                    type="number"
                    min={1}
                    max={65535}
                    value={ports[key] ?? port.host}
                    onChange={(event) => {
                      const value = event.currentTarget.valueAsNumber;
                      if (value >= 1 && value <= 65535) onPort(key, value);
                    }}
                  />
                </span>
              </label>
            );
          })}
        </div>
      )}
    </div>
  );
}

function Share({ check }: { check: PlanCheck }) {
  if (check.used === null || check.total === null || check.total === 0) return <span />;
  const tone = check.status === "ok" ? "" : check.status === "warn" ? "warn" : "crit";
  return <Meter value={(check.used / check.total) * 100} label={check.title} tone={tone} />;
}
