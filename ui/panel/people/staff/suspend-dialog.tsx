import { useState } from "preact/hooks";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import type { StaffWorkspace } from "./types.ts";

interface Props {
  of: StaffWorkspace;
  onDone: () => void;
  onClose: () => void;
}

/** Shuts a workspace, with the reason that its log has from then on. */
export function SuspendDialog({ of: { id, name }, onDone, onClose }: Props) {
  const [reason, setReason] = useState("");
  const attempt = useAttempt();
  const send = async (): Promise<void> => {
    await api("POST /api/staff/workspaces/{id}/suspend", { path: { id }, body: { reason: reason.trim() } });
    toast(`${name} is suspended.`);
    onDone();
  };
  return (
    <FormDialog
      title={`Suspend ${name}?`}
      sub="Its people see nothing of it until it is opened again. Its nodes work on by themselves, and nothing is deleted."
      action="Suspend it"
      danger
      ready={reason.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("reason")}
      onSubmit={() => void attempt.send(send)}
      onClose={onClose}
    >
      <Input
        label="Reason"
        hint="It stands in the audit log of the workspace."
        {...attempt.field("reason", reason, setReason)}
        autocomplete="off"
      />
    </FormDialog>
  );
}
