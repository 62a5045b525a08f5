import { useState } from "preact/hooks";
import { Checkbox } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { enterWorkspace, user } from "../../client/session.ts";
import type { Mode } from "../../client/types.ts";
import { ModeChoice } from "../workspace-settings/mode-choice.tsx";

/** Makes one more workspace and goes there. */
export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [mode, setMode] = useState<Mode>("business");
  const [isClient, setClient] = useState(false);
  const attempt = useAttempt();
  const who = user.value;
  const mayAddClients = who?.tenant_mode === "msp" && (who.role === "org_owner" || who.role === "org_admin");
  const submit = (): void =>
    void attempt.send(async () => {
      const body = { name: name.trim(), mode, ...(isClient ? { as_client: true } : {}) };
      const entered = await api("POST /api/workspaces", { body });
      onClose();
      enterWorkspace(entered);
      toast(`${entered.workspace.name} is ready. You own it.`);
    });
  return (
    <FormDialog
      title="Add workspace"
      sub="Its nodes and people are apart from those of your other workspaces."
      action="Add workspace"
      ready={name.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("name")}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input label="Name" {...attempt.field("name", name, setName)} autocomplete="off" required />
      <ModeChoice value={mode} onValue={setMode} />
      {mayAddClients && (
        <Checkbox checked={isClient} onChecked={setClient} sub={`Linked to ${who.tenant_name} as one of its clients.`}>
          A client’s workspace
        </Checkbox>
      )}
    </FormDialog>
  );
}
