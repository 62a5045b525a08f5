import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../../client/problem.ts";
import { Button } from "../../kit/button.tsx";
import { Password } from "../../kit/field.tsx";
import { Refusal, useWait } from "./refusal.tsx";

/** Asks for a new passphrase; `before` also for the one that holds now. */
export function NewPassword({
  before,
  action,
  username,
  onSubmit,
}: {
  before?: string;
  action: string;
  username: string;
  onSubmit: (next: string, now: string) => Promise<void>;
}) {
  const [now, setNow] = useState("");
  const [next, setNext] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit(next, now);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={submit}>
      <input type="text" name="username" autocomplete="username" value={username} readOnly hidden />
      {before !== undefined && <Password label={before} value={now} onValue={setNow} autofocus required />}
      <Password
        label="New passphrase"
        value={next}
        onValue={setNext}
        autocomplete="new-password"
        autofocus={before === undefined}
        meter
        required
        hint="At least 8 characters. A few unrelated words are strong and easy to keep in mind."
      />
      {problem !== null && <Refusal problem={problem} wait={wait} />}
      <Button
        type="submit"
        kind="primary"
        wide
        busy={busy}
        disabled={next.length < 8 || (before !== undefined && now === "") || wait > 0}
      >
        {action}
      </Button>
    </form>
  );
}
