import { useState } from "preact/hooks";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";

/** Asks for the name of a file or folder. */
export function NameDialog({
  title,
  action,
  name: before,
  send,
  onDone,
  onClose,
}: {
  title: string;
  action: string;
  /** What it is called now; empty for something new. */
  name: string;
  send: (name: string) => Promise<unknown>;
  onDone: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(before);
  const attempt = useAttempt();
  const submit = () =>
    attempt.send(async () => {
      await send(name);
      onDone(name);
    });
  return (
    <FormDialog
      title={title}
      action={action}
      ready={name.trim() !== "" && name !== before}
      attempt={attempt}
      refusal={attempt.besides("name")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input
        label="Name"
        {...attempt.field("name", name, setName)}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
      />
    </FormDialog>
  );
}
