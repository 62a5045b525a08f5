import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

export const AuditEntry = t.Object({
  id: t.String(),
  /** `auth.signed_in`, `key.created`, … */
  action: t.String(),
  /** What it was done to, for example `user:usr_01…`. */
  resource: t.String(),
  details: t.Record(t.String(), t.Unknown()),
  ip_address: t.String(),
  timestamp: t.String(),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditQuery = t.Object({
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000 })),
  /** Id of the last entry of the page before. */
  cursor: t.Optional(t.String({ maxLength: 64 })),
  /** Beginning of the action, for example `auth.`. */
  action: t.Optional(t.String({ maxLength: 64 })),
  /** From this moment on, and before this one; ISO 8601. */
  from: t.Optional(t.String({ maxLength: 40 })),
  to: t.Optional(t.String({ maxLength: 40 })),
  /** Text in resource, details or address; capitals do not matter. */
  q: t.Optional(t.String({ maxLength: 100 })),
});
export type AuditQuery = Static<typeof AuditQuery>;

/** Whether the chain of hashes is unbroken; `broken_at` is the first entry that does not fit, null when the newest are missing. */
export const AuditCheck = t.Object({
  ok: t.Boolean(),
  entries: t.Integer(),
  broken_at: NullableText,
});
export type AuditCheck = Static<typeof AuditCheck>;

export const fail = defineErrors({
  audit_cursor_unknown: [400, "There is no audit entry {cursor} to go on from."],
});

export const auditRoutes = defineRoutes({
  "GET /api/audit/logs": { access: admin("security"), query: AuditQuery, out: t.Array(AuditEntry) },
  "GET /api/audit/check": { access: admin("security"), out: AuditCheck },
});
export type AuditApi = ApiOf<typeof auditRoutes>;
