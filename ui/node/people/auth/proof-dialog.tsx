import { useState } from "preact/hooks";
import { Segmented } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";

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
  const attempt = useAttempt();
  const submit = async (): Promise<void> => {
    const proof = kind === "password" ? { password: value } : { code: value.replace(/\s/g, "") };
    if (!(await attempt.send(() => onProof(proof)))) setValue("");
  };
  return (
    <FormDialog
      title={title}
      sub={sub}
      action={action}
      danger={danger}
      ready={value !== ""}
      attempt={attempt}
      onSubmit={() => void submit()}
      onClose={onClose}
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
    </FormDialog>
  );
}
