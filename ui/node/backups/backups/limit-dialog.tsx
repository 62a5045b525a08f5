import { useState } from "preact/hooks";
import type { Target } from "../../../../src/node/backups/backups/contract.ts";
import { Input } from "../../../kit/field.tsx";
import { type Attempt, useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

const MOST = 10_000;

/** Whether what was typed is a limit, or none. */
export const isLimit = (typed: string): boolean =>
  typed.trim() === "" || (/^\d{1,5}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= MOST);

/** The request's part for a limit; nothing typed is none. */
export const limitOf = (typed: string): { max_mb_per_second: number | null } => ({
  max_mb_per_second: typed.trim() === "" ? null : Number(typed),
});

/** How much may travel to and from a target. */
export function LimitField({
  typed,
  attempt,
  onTyped,
}: {
  typed: string;
  attempt: Attempt;
  onTyped: (typed: string) => void;
}) {
  return (
    <Input
      label="At most MB per second (may be left out)"
      {...attempt.field("max_mb_per_second", typed, onTyped)}
      hint="For backups and their checks, in both directions. What you restore or download comes as fast as it can."
      inputMode="numeric"
      autocomplete="off"
    />
  );
}

/** Changes the limit of a target. */
export function LimitDialog({
  target,
  onClose,
  onChanged,
}: {
  target: Target;
  onClose: () => void;
  onChanged: () => void;
}) {
  const [typed, setTyped] = useState(String(target.max_mb_per_second ?? ""));
  const attempt = useAttempt();
  const submit = () =>
    attempt.send(async () => {
      await api("PUT /api/backup/targets/{id}/limit", { path: { id: target.id }, body: limitOf(typed) });
      onChanged();
    });
  return (
    <FormDialog
      title={`Bandwidth of ${target.name}`}
      sub="It holds from the next backup on. Left empty there is no limit."
      action="Save"
      ready={isLimit(typed)}
      attempt={attempt}
      refusal={attempt.besides("max_mb_per_second")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <LimitField typed={typed} attempt={attempt} onTyped={setTyped} />
    </FormDialog>
  );
}
