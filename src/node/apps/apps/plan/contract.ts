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
