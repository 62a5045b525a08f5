import { toIso } from "../../../lib/clock.ts";
import type { MailOutcome } from "./contract.ts";
import type { OutcomeKey, OutcomeRow } from "./outcome-store.ts";

/** What became of a letter, as columns of another table's rows; all null where none was sent. */
export interface OutcomeColumns {
  mail_state: OutcomeRow["state"] | null;
  mail_reason: string | null;
  mail_unreachable: number | null;
  mail_queued_at: number | null;
  mail_at: number | null;
}

/** What became of a letter, as answers tell it. */
export const presentOutcome = ({
  state,
  reason,
  is_unreachable,
  queued_at,
  at,
}: Omit<OutcomeRow, keyof OutcomeKey>): MailOutcome => ({
  ...{ state, reason, unreachable: is_unreachable === 1 },
  ...{ queued_at: toIso(queued_at), at: toIso(at) },
});

/** The same from columns of another row; null where no letter was sent. */
export function readOutcome(row: OutcomeColumns): MailOutcome | null {
  const { mail_state: state, mail_reason: reason, mail_unreachable, mail_queued_at, mail_at } = row;
  if (state === null || mail_queued_at === null || mail_at === null) return null;
  return presentOutcome({
    ...{ state, reason, is_unreachable: mail_unreachable ?? 0 },
    ...{ queued_at: mail_queued_at, at: mail_at },
  });
}
