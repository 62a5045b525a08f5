import { useState } from "preact/hooks";
import type { RolloutDetail } from "../../../../src/panel/changes/rollouts/contract.ts";
import { count } from "../../../client/format.ts";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

export type Decision = "promote" | "resume" | "pause" | "rollback";

interface Words {
  title: string;
  action: string;
  done: string;
  text: (rollout: RolloutDetail) => string;
}

const words: Record<Decision, Words> = {
  promote: {
    title: "Promote this rollout?",
    action: "Promote",
    done: "Promoted.",
    text: ({ stage_views, current_stage }) => {
      const next = stage_views[current_stage];
      if (!next) return "It is the last stage: the rollout ends as it is.";
      return `Stage ${next.stage} begins now and reaches ${count(next.nodes, "more node")}.`;
    },
  },
  resume: {
    title: "Resume this rollout?",
    action: "Resume",
    done: "It goes on.",
    text: () => "The soak of this stage begins again. What failed or went silent until now no longer counts.",
  },
  pause: {
    title: "Pause this rollout?",
    action: "Pause",
    done: "Paused.",
    text: () => "Nothing new is sent. What nodes have been sent already is not taken back.",
  },
  rollback: {
    title: "Roll everything back?",
    action: "Roll back",
    done: "It rolls back.",
    text: ({ touched_nodes }) =>
      `${count(touched_nodes, "node")} that had the change go back to what they had before. Nodes that are offline do so when they return.`,
  },
};

/** Asks whether a decision is meant, and why; says what it does first. */
export function DecisionDialog({
  rollout,
  decision,
  onDone,
  onClose,
}: {
  rollout: RolloutDetail;
  decision: Decision;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  const attempt = useAttempt();
  const { title, action, text, done } = words[decision];
  const submit = async (): Promise<void> => {
    const body = reason.trim() === "" ? {} : { reason: reason.trim() };
    const isDone = await attempt.send(async () => {
      await api(`POST /api/fleet/rollouts/{id}/${decision}`, { path: { id: rollout.id }, body });
    });
    if (!isDone) return;
    toast(done);
    onClose();
    await onDone();
  };
  return (
    <FormDialog
      title={title}
      action={action}
      danger={decision === "rollback"}
      ready
      attempt={attempt}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p class="c2">{text(rollout)}</p>
      <Input
        label="Why (for the timeline, if you like)"
        value={reason}
        onValue={attempt.edits("reason", setReason)}
        error={attempt.errorOf("reason")}
        autocomplete="off"
      />
    </FormDialog>
  );
}
