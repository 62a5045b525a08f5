import { t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { open } from "../../access.ts";

/** Given only when the database answers too. */
export const Healthy = t.Object({
  status: t.Literal("ok"),
  version: t.String(),
  /** Only where the disk with the panel's data has no room any more: what is there can be read, and nothing be changed. */
  disk: t.Optional(t.Literal("full")),
});

export const healthRoutes = defineRoutes({
  "GET /api/health": { access: open(), out: Healthy },
});
export type HealthApi = ApiOf<typeof healthRoutes>;
