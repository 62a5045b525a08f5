import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";

// Not UnionEnum: that would fill in its first value for a field that was left out.
const RepeatWord = t.Union([t.Literal("one-time"), t.Literal("daily"), t.Literal("weekly"), t.Literal("monthly")]);
const Scope = t.Union([t.Literal("all"), t.Literal("rules")]);

/** A wall time such as `2026-03-29T02:30`, or an instant (`…Z`, `…+01:00`) that is turned into one. */
const When = t.String({
  minLength: 16,
  maxLength: 40,
  pattern: "^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?$",
});

const RuleIds = t.Array(t.String({ minLength: 1, maxLength: 64 }), { maxItems: 200 });

export const MaintenanceInput = t.Object({
  name: t.Optional(NameText(80)),
  start: When,
  end: When,
  /** IANA name; the node's own zone when left out. */
  timezone: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  repeat: t.Optional(RepeatWord),
  /** `rules` when rule ids are given, else `all`. */
  scope: t.Optional(Scope),
  rule_ids: t.Optional(RuleIds),
});
export type MaintenanceInput = Static<typeof MaintenanceInput>;

/** Fields that are left out keep their value. */
export const MaintenanceChange = t.Partial(MaintenanceInput);
export type MaintenanceChange = Static<typeof MaintenanceChange>;

export const MaintenanceWindow = t.Object({
  id: t.String(),
  name: t.String(),
  /** Wall times in `timezone`: start inclusive, end exclusive. */
  start: t.String(),
  end: t.String(),
  timezone: t.String(),
  repeat: RepeatWord,
  scope: Scope,
  rule_ids: t.Array(t.String()),
  active: t.Boolean(),
  /** The occurrence that is on, else the next one, in UTC; null when there is none any more. */
  next_start: NullableText,
  next_end: NullableText,
  created_at: t.String(),
  updated_at: t.String(),
});
export type MaintenanceWindow = Static<typeof MaintenanceWindow>;

const MaintenanceParams = t.Object({ id: t.String({ maxLength: 64 }) });

export const fail = defineErrors({
  maintenance_not_found: [404, "There is no maintenance window {id}. It may have been deleted; load the list again."],
  maintenance_limit: [409, "There can be {limit} maintenance windows. Delete one first."],
  maintenance_zone_unknown: [400, "{timezone} is no time zone. Use an IANA name such as Europe/Berlin."],
  maintenance_times: [400, "{field}: {reason}"],
});

type MaintenanceActor = { user_id: string; window_id: string; name: string; ip: string };

export type MaintenanceEvents = {
  "maintenance.created": MaintenanceActor;
  "maintenance.changed": MaintenanceActor;
  "maintenance.deleted": MaintenanceActor;
};

const read = user("alerts");
const change = admin("alerts");

export const maintenanceRoutes = defineRoutes({
  "GET /api/alerting/maintenance": { access: read, out: t.Array(MaintenanceWindow) },
  "POST /api/alerting/maintenance": { access: change, body: MaintenanceInput, out: MaintenanceWindow },
  "GET /api/alerting/maintenance/{id}": { access: read, params: MaintenanceParams, out: MaintenanceWindow },
  "PUT /api/alerting/maintenance/{id}": {
    access: change,
    params: MaintenanceParams,
    body: MaintenanceChange,
    out: MaintenanceWindow,
  },
  "DELETE /api/alerting/maintenance/{id}": {
    access: change,
    params: MaintenanceParams,
    out: t.Object({ message: t.String() }),
  },
});
export type MaintenanceApi = ApiOf<typeof maintenanceRoutes>;
