import type { ComponentChildren } from "preact";
import type { Problem } from "../client/problem.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import type { Attempt } from "./attempt.ts";
import { Refusal } from "./refusal.tsx";

/** A small form in a dialog: Enter or the button sends it, a refusal stands below the fields. */
export function FormDialog({
  title,
  sub,
  action,
  danger = false,
  width = "sm",
  aside,
  ready,
  attempt,
  refusal = attempt.problem,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  sub?: string | undefined;
  /** Text of the button that sends. */
  action: string;
  danger?: boolean;
  width?: "sm" | "md";
  /** Another thing that can be done instead, at the left of the buttons. */
  aside?: ComponentChildren;
  /** False while something is missing in the fields. */
  ready: boolean;
  attempt: Attempt;
  /** The problem shown below the fields, where some fields show their own. */
  refusal?: Problem | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const mayGo = ready && !attempt.busy && attempt.wait === 0;
  return (
    <Dialog
      title={title}
      sub={sub}
      width={width}
      onClose={onClose}
      foot={
        <>
          {aside}
          <Button class="push" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind={danger ? "confirm" : "primary"}
            busy={attempt.busy}
            disabled={!ready || attempt.wait > 0}
            onClick={onSubmit}
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
          if (mayGo) onSubmit();
        }}
      >
        {children}
        {refusal !== null && <Refusal problem={refusal} wait={attempt.wait} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** The way to delete what a form changes; none where there is nothing yet. */
export function deleteButton(onDelete: (() => void) | undefined): ComponentChildren {
  if (onDelete === undefined) return null;
  return (
    <Button kind="danger" onClick={onDelete}>
      Delete
    </Button>
  );
}
