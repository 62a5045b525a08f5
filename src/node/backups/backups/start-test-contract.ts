import { type Static, t } from "elysia";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";

/** What came of starting a copy of an app from its newest backup; null: nothing was tried. */
export const StartTest = t.Object({
  app: t.String(),
  name: t.String(),
  outcome: Nullable(t.UnionEnum(["answered", "failed", "skipped"])),
  /** Why it did not answer, or could not be tried. */
  cause: NullableText,
  backup_id: NullableText,
  tried_at: NullableText,
  /** When it last answered. */
  answered_at: NullableText,
});
export type StartTest = Static<typeof StartTest>;
