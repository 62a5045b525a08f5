import { type Static, t } from "elysia";
import { NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";

const closed = { additionalProperties: false };
const Id = t.String({ minLength: 1, maxLength: 64 });
const chosen = {
  /** Left out: all apps of the backup that are installed. */
  apps: t.Optional(t.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  /** Over what is there, which is usual, or as a new app beside it. */
  mode: t.Optional(t.Union([t.Literal("over"), t.Literal("beside")])),
  /** What the new app beside it is called. */
  name: t.Optional(NameText(40)),
  /** Ids of what is confirmed of the paths of the new app beside it, as for its start. */
  permissions: t.Optional(t.Array(t.String({ maxLength: 4400 }), { maxItems: 100 })),
};

export const RestoreInput = t.Optional(t.Object(chosen, closed));
export type RestoreInput = Static<typeof RestoreInput>;

/** What becomes of a volume: it gets its files back, is filled from what its database wrote, or stays as it is. */
const RestoredVolume = t.Object({
  name: t.String(),
  from: t.UnionEnum(["files", "dump", "nothing"]),
  /** In the backup; null where it is not in it. */
  size_bytes: Nullable(t.Integer()),
  /** The service whose dump fills it. */
  service: NullableText,
});

/** What putting one app back would change. */
export const RestoredApp = t.Object({
  app: t.String(),
  name: t.String(),
  /** What it is called then: its own name, or that of the new app beside it. */
  becomes: t.String(),
  version: t.String(),
  /** Its version when the backup was made. */
  version_then: t.String(),
  /** Of all its data now; null: not measured. */
  bytes_now: Nullable(t.Integer()),
  volumes: t.Array(RestoredVolume),
  /** Of the new app beside it. */
  ports: t.Array(t.Object({ service: t.String(), container: t.Integer(), host: t.Integer() })),
  /** What should be known before, in sentences. */
  notes: t.Array(t.String()),
});
export type RestoredApp = Static<typeof RestoredApp>;

/** What a restore would do; nothing is changed. */
export const RestorePlan = t.Object({
  mode: t.UnionEnum(["over", "beside"]),
  apps: t.Array(RestoredApp),
  /** What has to be confirmed before there is a new app beside: others can replace a path of it, or have theirs below one. */
  to_confirm: t.Array(t.Object({ id: t.String(), title: t.String(), detail: t.String() })),
});
export type RestorePlan = Static<typeof RestorePlan>;
