import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Password } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.tsx";

/** Changes the passphrase; the one that holds now is asked for. */
export function PasswordCard() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await api("POST /api/auth/change-password", { body: { current_password: current, new_password: next } });
      setCurrent("");
      setNext("");
      toast("Passphrase changed.");
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  const inNew = problem?.field === "new_password";
  return (
    <Card title="Passphrase" w={5}>
      <form class="card-b stack" onSubmit={submit}>
        <Password
          label="Passphrase now"
          value={current}
          onValue={setCurrent}
          required
          error={problem === null || inNew ? null : problem.message}
        />
        <Password
          label="New passphrase"
          value={next}
          onValue={setNext}
          autocomplete="new-password"
          meter={!inNew}
          required
          hint="At least 8 characters"
          error={inNew ? problem.message : null}
        />
        <p>
          <Button type="submit" busy={busy} disabled={current === "" || next.length < 8}>
            Change
          </Button>
        </p>
      </form>
    </Card>
  );
}
