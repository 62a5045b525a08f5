import { type Static, t } from "elysia";
import { NullableNumber, NullableText } from "../../../../kernel/http/schema.ts";

/** One line of what is looked at before an install or an update. */
export const PlanCheck = t.Object({
  id: t.UnionEnum([
    "runtime",
    "name",
    "memory",
    "disk",
    "port",
    "reach",
    "image",
    "arch",
    "plan",
    "permissions",
    "inputs",
    "path",
  ]),
  status: t.UnionEnum(["ok", "warn", "fail"]),
  title: t.String(),
  detail: t.String(),
  next_step: NullableText,
  /** Bytes (memory, disk) or apps (plan): what there would be in use, of how much. */
  used: NullableNumber,
  total: NullableNumber,
});
export type PlanCheck = Static<typeof PlanCheck>;

/** A question of a template, before an app of it is installed. */
export const PlannedInput = t.Object({
  key: t.String(),
  type: t.String(),
  label: t.String(),
  required: t.Boolean(),
  default: NullableText,
  hint: t.Optional(t.String()),
  rules: t.Optional(t.Record(t.String(), t.Unknown())),
});

/** One thing that a change of an app's settings does. */
export const PlannedChange = t.Object({
  kind: t.UnionEnum(["input", "port", "reach", "limit", "secret"]),
  /** Which input, port, service or secret. */
  name: t.String(),
  label: t.String(),
  /** Null: nothing, or nothing that may be shown. */
  from: NullableText,
  to: NullableText,
});
export type PlannedChange = Static<typeof PlannedChange>;

/** What an app may do on the server, or what its paths make of others, which an admin confirms by its id. */
export const Permission = t.Object({ id: t.String(), title: t.String(), detail: t.String() });

/** Ids of the permissions that the admin confirms; some hold a path, which Linux lets be 4,095 bytes long, and the name of a service. */
export const permissions = t.Optional(t.Array(t.String({ maxLength: 4400 }), { maxItems: 100 }));
