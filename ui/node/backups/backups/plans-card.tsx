import { useState } from "preact/hooks";
import type { Plan, Schedule, Target } from "../../../../src/node/backups/backups/contract.ts";
import { moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { PlanDialog } from "./plan-dialog.tsx";
import { describeWhen } from "./when.ts";

function contentOf({ apps, include_config }: Plan): string {
  if (apps === null) return include_config ? "everything" : "all apps";
  const count = apps.length === 1 ? "one app" : `${apps.length} apps`;
  if (apps.length === 0) return "settings, buckets and Drives";
  return include_config ? `settings, buckets, Drives and ${count}` : count;
}

/** What is backed up by itself, and when. */
export function PlansCard({
  schedule: { plans, next_run_at },
  targets,
  apps,
  onChange,
}: {
  schedule: Schedule;
  targets: readonly Target[];
  apps: readonly { id: string; name: string }[];
  onChange: () => void;
}) {
  const [asking, ask] = useState<Plan | "new" | null>(null);
  const close = () => ask(null);
  const nameOf = (id: string) => targets.find((target) => target.id === id)?.name ?? id;
  return (
    <Card
      title="Plans"
      aside={next_run_at === null ? "nothing is planned" : `next ${moment(next_run_at)}`}
      actions={
        <Button size="sm" icon="plus" onClick={() => ask("new")}>
          Add a plan
        </Button>
      }
    >
      {plans.length === 0 ? (
        <p class="treeway backupfoot first t13 c3">No plan yet. Add one, and backups are made by themselves.</p>
      ) : (
        <div class="rows">
          {plans.map((plan) => (
            <div class="item backuprow" key={plan.id}>
              <span class="body">
                <span class="title cut">{plan.name}</span>
                <span class="sub">{`${describeWhen(plan.cron)}: ${contentOf(plan)}, to ${nameOf(plan.target)}`}</span>
                <span class="sub">
                  {plan.enabled ? (
                    <Status state="ok">{plan.next_run_at === null ? "On" : `Next ${moment(plan.next_run_at)}`}</Status>
                  ) : (
                    <Status state="off">Off</Status>
                  )}
                </span>
              </span>
              <span class="acts row">
                <Button size="sm" aria-label={`Change ${plan.name}`} onClick={() => ask(plan)}>
                  Change
                </Button>
              </span>
            </div>
          ))}
        </div>
      )}
      {asking !== null && (
        <PlanDialog
          plan={asking === "new" ? null : asking}
          targets={targets}
          apps={apps}
          onClose={close}
          onSaved={() => {
            close();
            onChange();
          }}
        />
      )}
    </Card>
  );
}
