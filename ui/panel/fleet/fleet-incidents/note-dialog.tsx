import { useState } from "preact/hooks";
import { Field } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

const longest = 2_000;

/** Writes down what somebody found out. */
export function NoteDialog({ id, onDone, onClose }: { id: string; onDone: () => Promise<void>; onClose: () => void }) {
  const [text, setText] = useState("");
  const attempt = useAttempt();
  const { error, onValue } = attempt.field("text", text, setText);
  const submit = async (): Promise<void> => {
    const isDone = await attempt.send(async () => {
      await api("POST /api/fleet/incidents/{id}/notes", { path: { id }, body: { text } });
      await onDone();
    });
    if (isDone) onClose();
  };
  return (
    <FormDialog
      title="Write a note"
      action="Keep it"
      ready={text.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("text")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label="What you found out, or did" error={error} hint="Everybody in this workspace reads it.">
        {({ id: field, describedBy }) => (
          <span class="input area">
            <textarea
              id={field}
              rows={5}
              maxLength={longest}
              value={text}
              aria-describedby={describedBy}
              onInput={(event) => onValue(event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
    </FormDialog>
  );
}
