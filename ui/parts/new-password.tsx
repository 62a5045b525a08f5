import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../kit/button.tsx";
import { Password } from "../kit/field.tsx";
import { useAttempt } from "./attempt.ts";
import { Refusal } from "./refusal.tsx";

/** Asks for a new passphrase; `before` also for the one that holds now. */
export function NewPassword({
  before,
  action,
  username,
  autofocus = true,
  children,
  onSubmit,
}: {
  before?: string;
  action: string;
  username: string;
  /** False where it is not the first thing on its page. */
  autofocus?: boolean;
  /** What else is decided with it. */
  children?: ComponentChildren;
  onSubmit: (next: string, now: string) => Promise<void>;
}) {
  const [now, setNow] = useState("");
  const [next, setNext] = useState("");
  const attempt = useAttempt();
  const inNext = attempt.errorOf("new_password") ?? attempt.errorOf("password");
  const besides = attempt.besides("new_password", "password", "current_password");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.send(() => onSubmit(next, now));
      }}
    >
      <input type="text" name="username" autocomplete="username" value={username} readOnly hidden />
      {before !== undefined && (
        <Password label={before} {...attempt.field("current_password", now, setNow)} autofocus={autofocus} required />
      )}
      <Password
        label="New passphrase"
        value={next}
        onValue={attempt.edits("new_password", attempt.edits("password", setNext))}
        autocomplete="new-password"
        autofocus={autofocus && before === undefined}
        meter={inNext === null}
        error={inNext}
        required
        hint="At least 8 characters. A few unrelated words are strong and easy to keep in mind."
      />
      {children}
      {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
      <Button
        type="submit"
        kind="primary"
        wide
        busy={attempt.busy}
        disabled={next.length < 8 || (before !== undefined && now === "") || attempt.wait > 0}
      >
        {action}
      </Button>
    </form>
  );
}
