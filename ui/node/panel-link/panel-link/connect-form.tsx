import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { api } from "../../client/api.ts";

/** Takes the line that the panel shows and connects with it. */
export function ConnectForm({ onConnected }: { onConnected: () => Promise<void> }) {
  const [line, setLine] = useState("");
  const attempt = useAttempt();
  const send = () =>
    attempt.send(async () => {
      await api("POST /api/cp/connect", { body: { line } });
      toast("This server belongs to the panel now.");
      await onConnected();
    });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Input
        label="Line from the panel"
        value={line}
        onValue={attempt.edits("line", setLine)}
        hint="On the panel choose Add node, copy the line and paste it here. It works once."
        error={attempt.problem?.message}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <div class="btns">
        <Button kind="primary" type="submit" icon="link" busy={attempt.busy} disabled={line.trim() === ""}>
          Connect
        </Button>
      </div>
    </form>
  );
}
