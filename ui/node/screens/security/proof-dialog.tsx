import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { Refusal, useWait } from "../../parts/refusal.tsx";

type Kind = "password" | "code";

/** Asks to prove oneself again, by passphrase or by a current code, before something that weakens the account. */
export function ProofDialog({
  title,
  sub,
  action,
  danger = false,
  onProof,
  onClose,
}: {
  title: string;
  sub?: string;
  action: string;
  danger?: boolean;
  onProof: (proof: { password: string } | { code: string }) => Promise<void>;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<Kind>("password");
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  const submit = async (): Promise<void> => {
    if (value === "" || wait > 0) return;
    setBusy(true);
    setProblem(null);
    try {
      await onProof(kind === "password" ? { password: value } : { code: value.replace(/\s/g, "") });
    } catch (error) {
      setProblem(asProblem(error));
      setValue("");
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      sub={sub}
      width="sm"
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind={danger ? "confirm" : "primary"}
            busy={busy}
            disabled={value === "" || wait > 0}
            onClick={() => void submit()}
          >
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
        <Segmented
          label="Confirm with"
          size="wide"
          value={kind}
          options={[
            { value: "password", label: "Passphrase" },
            { value: "code", label: "Code" },
          ]}
          onValue={(next) => {
            setKind(next);
            setValue("");
          }}
        />
        {kind === "password" ? (
          <Password key="password" label="Passphrase" value={value} onValue={setValue} />
        ) : (
          <Input
            key="code"
            label="Code from the app, or a recovery code"
            icon="shield"
            value={value}
            onValue={setValue}
            autocomplete="one-time-code"
            spellcheck={false}
          />
        )}
        {problem !== null && <Refusal problem={problem} wait={wait} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
