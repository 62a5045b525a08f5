import { useState } from "preact/hooks";
import { Select } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import type { StaffWorkspace } from "./types.ts";

const plans = ["free", "pro", "team", "business", "enterprise"] as const;

interface Props {
  of: StaffWorkspace;
  onDone: () => void;
  onClose: () => void;
}

/** Puts a workspace on another plan. */
export function PlanDialog({ of: { id, name, plan }, onDone, onClose }: Props) {
  const [chosen, choose] = useState(plans.find((one) => one === plan) ?? "free");
  const attempt = useAttempt();
  const send = async (): Promise<void> => {
    await api("PUT /api/staff/workspaces/{id}/plan", { path: { id }, body: { plan: chosen } });
    toast(`${name} is on the plan ${chosen}.`);
    onDone();
  };
  return (
    <FormDialog
      title={`The plan of ${name}`}
      sub="What is there stays; a smaller plan only keeps more from being added."
      action="Change the plan"
      ready={chosen !== plan}
      attempt={attempt}
      onSubmit={() => void attempt.send(send)}
      onClose={onClose}
    >
      <div class="field">
        <p class="label">Plan</p>
        <Select
          label="Plan"
          value={chosen}
          options={plans.map((value) => ({ value, label: value }))}
          onValue={choose}
        />
      </div>
    </FormDialog>
  );
}
