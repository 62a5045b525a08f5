import { useState } from "preact/hooks";
import { Input } from "../kit/field.tsx";
import { useAttempt } from "./attempt.ts";
import { FormDialog } from "./form-dialog.tsx";

/** Asks for a name and does something with it. */
export function NameDialog({
  title,
  name: given,
  hint,
  action,
  faultOf = () => null,
  onName,
  onClose,
}: {
  title: string;
  name: string;
  hint?: string;
  action: string;
  /** What is wrong with a name before it is sent. */
  faultOf?: (name: string) => string | null;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const [name, setName] = useState(given);
  const attempt = useAttempt();
  const fault = faultOf(name.trim());
  return (
    <FormDialog
      title={title}
      action={action}
      ready={name.trim() !== "" && fault === null}
      attempt={attempt}
      onSubmit={() => void attempt.send(() => onName(name.trim()))}
      onClose={onClose}
    >
      <Input
        label="Name"
        value={name}
        onValue={attempt.edits("name", setName)}
        hint={hint}
        error={fault}
        autocomplete="off"
      />
    </FormDialog>
  );
}
