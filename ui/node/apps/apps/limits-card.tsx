import { useState } from "preact/hooks";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Input } from "../../../kit/field.tsx";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";
import { PermissionChoices } from "./permission-choices.tsx";

const LEAST_MB = 6;

/** Other memory limits for an app that failed, and a new try with them: what the advice after "out of memory" needs. */
export function LimitsCard({ app }: { app: AppDetail }) {
  const limited = Object.entries(app.limits).flatMap(([service, { memory_mb }]) =>
    memory_mb === null ? [] : [{ service, memory: memory_mb }],
  );
  const [typed, type] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [allowed, allow] = useState<string[]>([]);
  const changed = limited.filter(({ service, memory }) => Number(typed[service] ?? memory) !== memory);
  const isUsable = (text: string | undefined) => text === undefined || (/^\d+$/.test(text) && Number(text) >= LEAST_MB);
  const fits = limited.every(({ service }) => isUsable(typed[service]));
  const isAllowed = app.to_confirm.every(({ id }) => allowed.includes(id));
  if (limited.length === 0) return null;

  const retry = async () => {
    setBusy(true);
    setProblem(null);
    const limits = Object.fromEntries(changed.map(({ service }) => [service, { memory_mb: Number(typed[service]) }]));
    try {
      await api("POST /api/apps/{id}/retry", { path: { id: app.id }, body: { limits, permissions: allowed } });
      type({});
    } catch (error) {
      setProblem(asProblem(error).message);
    }
    setBusy(false);
    void resource("GET /api/apps/{id}", { path: { id: app.id } }).refresh();
  };

  return (
    <Card title="Try again with more memory">
      <form
        class="card-b stack"
        onSubmit={(event) => {
          event.preventDefault();
          void retry();
        }}
      >
        {limited.map(({ service, memory }) => (
          <Input
            key={service}
            label={`Memory limit of ${service}`}
            unit="MB"
            inputMode="numeric"
            value={typed[service] ?? String(memory)}
            onValue={(value) => type({ ...typed, [service]: value })}
            error={isUsable(typed[service]) ? null : `A whole number, at least ${LEAST_MB}`}
          />
        ))}
        <PermissionChoices asked={app.to_confirm} allowed={allowed} onAllowed={allow} />
        {problem !== null && <p class="hint crit">{problem}</p>}
        <p>
          <Button kind="primary" type="submit" busy={busy} disabled={changed.length === 0 || !fits || !isAllowed}>
            Save and try again
          </Button>
        </p>
      </form>
    </Card>
  );
}
