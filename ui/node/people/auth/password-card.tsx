import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Password } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";

/** Changes the passphrase; the one that holds now is asked for. */
export function PasswordCard() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const attempt = useAttempt();
  const submit = async (): Promise<void> => {
    await api("POST /api/auth/change-password", { body: { current_password: current, new_password: next } });
    setCurrent("");
    setNext("");
    toast("Passphrase changed.");
  };
  const besides = attempt.besides("current_password", "new_password");
  return (
    <Card title="Passphrase" w={5}>
      <form
        class="card-b stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt.send(submit);
        }}
      >
        <Password label="Passphrase now" {...attempt.field("current_password", current, setCurrent)} required />
        <Password
          label="New passphrase"
          {...attempt.field("new_password", next, setNext)}
          autocomplete="new-password"
          meter={attempt.errorOf("new_password") === null}
          required
          hint="At least 8 characters"
        />
        {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
        <p>
          <Button type="submit" busy={attempt.busy} disabled={current === "" || next.length < 8 || attempt.wait > 0}>
            Change
          </Button>
        </p>
      </form>
    </Card>
  );
}
