import { type Static, t } from "elysia";
import { Nullable, NullableNumber, NullableText } from "../../../../kernel/http/schema.ts";
import { Permission, PlanCheck, permissions } from "../plan/contract.ts";

/** `version` is that of the plan: another one than the newest is refused. `permissions` are those that the admin confirms. */
export const UpdateInput = t.Optional(
  t.Object(
    {
      version: t.Optional(t.String({ maxLength: 40 })),
      permissions,
    },
    { additionalProperties: false },
  ),
);
export type UpdateInput = { version?: string; permissions?: string[] };

/** What is to become of the newest version: it is not offered any more, or installed in the coming night. */
export const UpdateChoiceInput = t.Object(
  {
    choice: t.Union([t.Literal("skip"), t.Literal("tonight")]),
    /** That of the plan: another one than the newest is refused. */
    version: t.String({ maxLength: 40 }),
    /** Those that the admin confirms; only for the night. */
    permissions,
  },
  { additionalProperties: false },
);
export type UpdateChoiceInput = Static<typeof UpdateChoiceInput>;

const DumpKind = t.UnionEnum(["postgres", "mysql", "mongodb", "redis"]);

/** What an app can be updated to or go back to, and how its latest update ended. */
export const AppUpdates = t.Object({
  version: t.String(),
  revision: t.Number(),
  /** The newest version; null when the app is that. */
  to: Nullable(
    t.Object({
      version: t.String(),
      revision: t.Number(),
      /** The versions that are passed, the last of which is it; empty when there is no way. */
      path: t.Array(t.String()),
      /** What changes for people. */
      breaking: t.Array(t.String()),
      /** Longest time in which it must come up, and how long it is watched then. */
      start_seconds: t.Number(),
      watched_seconds: t.Number(),
      /** The latest update was to this version and failed; a later revision of it is not the same. */
      failed_before: t.Boolean(),
      /** What the new version wants to be allowed that the app is not yet. */
      permissions: t.Array(Permission),
    }),
  ),
  /** Whether it can begin, once permissions are confirmed. */
  ok: t.Boolean(),
  checks: t.Array(PlanCheck),
  /** Its volumes; a cache is not copied, programs make it again. */
  backed_up: t.Array(
    t.Object({ name: t.String(), role: t.String(), size_bytes: NullableNumber, is_copied: t.Boolean() }),
  ),
  /** Databases that write what they have into a file before it is stopped, beside the copy of their volumes. */
  dumped: t.Array(t.Object({ service: t.String(), kind: DumpKind })),
  /** What somebody chose for the version in `to`; null when nobody did. */
  choice: Nullable(
    t.Object({
      kind: t.UnionEnum(["skip", "tonight"]),
      /** When its night begins; null for a version that is skipped. */
      due_at: NullableText,
    }),
  ),
  /** The version before, as long as it is kept. */
  back: Nullable(
    t.Object({
      version: t.String(),
      kept_until: t.String(),
      /** What has to be confirmed before the app goes back: others can replace a path of it. */
      to_confirm: t.Array(Permission),
      /** What its databases wrote before the update. */
      dumps: t.Array(
        t.Object({
          /** For `GET /api/apps/{id}/updates/dumps/{name}`. */
          name: t.String(),
          service: t.String(),
          kind: DumpKind,
          /** Before it was compressed; null where there is none. */
          size_bytes: NullableNumber,
          /** Why there is none. */
          problem: NullableText,
        }),
      ),
    }),
  ),
  last: Nullable(
    t.Object({
      kind: t.UnionEnum(["update", "rollback"]),
      from: t.String(),
      to: t.String(),
      /** False when it went back by itself. */
      ok: t.Boolean(),
      cause: NullableText,
      next_step: NullableText,
      /** How long the app did not answer. */
      down_ms: NullableNumber,
      ended_at: t.String(),
      op_id: t.String(),
    }),
  ),
});
export type AppUpdates = Static<typeof AppUpdates>;
