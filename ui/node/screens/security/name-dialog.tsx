import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { Refusal } from "../../parts/refusal.tsx";

/** Asks for a name and does something with it. */
export function NameDialog({
  title,
  name: given,
  hint,
  action,
  onName,
  onClose,
}: {
  title: string;
  name: string;
  hint?: string;
  action: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const [name, setName] = useState(given);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (): Promise<void> => {
    if (name.trim() === "") return;
    setBusy(true);
    setProblem(null);
    try {
      await onName(name.trim());
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      width="sm"
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={busy} disabled={name.trim() === ""} onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Input label="Name" value={name} onValue={setName} hint={hint} autocomplete="off" />
        {problem !== null && <Refusal problem={problem} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
