import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { defineRoutes } from "../../../kernel/http/route.ts";
import { open } from "../../access.ts";

/** `os` is the node's program, `cc` the panel itself. */
const Product = t.Union([t.Literal("os"), t.Literal("cc"), t.Literal("mobile")]);

export const ReleaseNote = t.Object({
  id: t.String(),
  product: Product,
  version: t.String(),
  title: t.String(),
  summary: t.String(),
  items: t.Array(t.String()),
  /** What is `canary` only those are told who try that version first. */
  status: t.Union([t.Literal("published"), t.Literal("canary")]),
  published_at: t.String(),
});
export type ReleaseNote = Static<typeof ReleaseNote>;

export const NotesQuery = t.Object({
  product: t.Optional(Product),
  /** A version or a moment (ISO 8601, UTC without a zone): only what came after it. */
  since: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 100 })),
  /** A node that asks; notes for the few who try a version first go by it. */
  instance_id: t.Optional(t.String({ maxLength: 64 })),
});
export type NotesQuery = Static<typeof NotesQuery>;

export const fail = defineErrors({
  release_since_invalid: [400, "since is neither a version like 1.2.0 nor a moment like 2026-01-31T00:00:00Z."],
});

export const releaseNoteRoutes = defineRoutes({
  "GET /api/v1/release-notes": { access: open(), query: NotesQuery, out: t.Array(ReleaseNote) },
});
