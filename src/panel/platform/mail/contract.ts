import { type Static, t } from "elysia";
import { NullableText } from "../../../kernel/http/schema.ts";

/** What became of the last letter to an address; it is known for 30 days. */
export const MailOutcome = t.Object({
  /** `given_up`: it was tried from `queued_at` until `at`, and nobody took it. */
  state: t.UnionEnum(["waiting", "sent", "refused", "given_up"]),
  /** When somebody had it sent. */
  queued_at: t.String(),
  /** When it came to that; of one that waits, when it was tried last. */
  at: t.String(),
  /** What the mail server said last, and of an address that nobody has how it said so; null where it said nothing. */
  reason: NullableText,
  /** Nobody has this address: notices and digests stop until it is another one, or takes a letter. */
  unreachable: t.Boolean(),
});
export type MailOutcome = Static<typeof MailOutcome>;
