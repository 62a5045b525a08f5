import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import { Id } from "../../schemas.ts";

export const AuditEntry = t.Object({
  id: t.String(),
  timestamp: t.String(),
  /** `team.role_change`, `fleet.node.tags`, … */
  action: t.String(),
  /**
   * A member of the workspace, a node by its certificate, whoever holds the host of the panel, the panel by itself, or somebody who
   * has not proven to be anybody.
   */
  actor: t.Object({
    kind: t.Union([
      t.Literal("member"),
      t.Literal("node"),
      t.Literal("directory"),
      t.Literal("operator"),
      t.Literal("panel"),
      t.Literal("visitor"),
    ]),
    /** The membership, the node, `directory`, `operator`, `panel` or `visitor`. */
    id: t.String(),
    name: NullableText,
  }),
  /** What it was done to; the name is the one it has now, null when it is gone. */
  subject: t.Object({ id: t.String(), name: NullableText }),
  details: t.Record(t.String(), t.Unknown()),
  ip_address: t.String(),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AUDIT_DEFAULT = 50;
export const AUDIT_MAX = 500;

const Moment = t.String({ format: "date-time", maxLength: 40 });

export const AuditQuery = t.Object({
  limit: t.Optional(t.Integer({ minimum: 1, maximum: AUDIT_MAX })),
  /** Id of the last entry of the page before. */
  cursor: t.Optional(Id),
  /** Beginning of the action, for example `fleet.`. */
  action: t.Optional(t.String({ maxLength: 64, pattern: "^[a-z_.]*$" })),
  /** A membership, `agent` for everything nodes did, `directory`, `operator`, `panel` or `visitor`. */
  actor: t.Optional(Id),
  /** From this moment on, and before this one. */
  from: t.Optional(Moment),
  to: t.Optional(Moment),
  /** Part of the subject's id, of the details or of the address; capitals do not matter. */
  q: t.Optional(t.String({ maxLength: 100, pattern: "^[^\\u0000]*$" })),
});
export type AuditQuery = Static<typeof AuditQuery>;

/** Newest first. `next_cursor` is null on the last page; what was before `kept_since` has been removed. */
export const AuditPage = t.Object({
  entries: t.Array(AuditEntry),
  next_cursor: NullableText,
  kept_since: t.String(),
});
export type AuditPage = Static<typeof AuditPage>;

export const fail = defineErrors({
  audit_cursor_unknown: [400, "There is no audit entry {cursor} to go on from."],
});

export const auditLogRoutes = defineRoutes({
  "GET /api/audit/logs": { access: can("users:manage"), query: AuditQuery, out: AuditPage },
});
export type AuditLogApi = ApiOf<typeof auditLogRoutes>;
