import { type Static, t } from "elysia";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";

const Usual = t.UnionEnum(["none", "pause", "stop"]);
/**
 * How the data of an app is copied: while it runs, while it is paused, while it is stopped, or from a snapshot of its disk while it runs.
 */
export const Policy = t.Object({
  app: t.String(),
  name: t.String(),
  /** What was chosen; null: what is usual. */
  mode: Nullable(t.UnionEnum(["none", "pause", "stop", "snapshot"])),
  /** What its template means. */
  usual: Usual,
  /** Why no snapshot can be taken on this server; null where one can. */
  no_snapshot: NullableText,
  /** Databases that write all they have into each backup. */
  dumps: t.Array(t.Object({ service: t.String(), kind: t.UnionEnum(["postgres", "mysql", "mongodb", "redis"]) })),
});
export type Policy = Static<typeof Policy>;

export const PolicyInput = t.Object(
  {
    mode: Nullable(t.Union([t.Literal("none"), t.Literal("pause"), t.Literal("stop"), t.Literal("snapshot")])),
  },
  { additionalProperties: false },
);
export type PolicyInput = Static<typeof PolicyInput>;
