import { t } from "elysia";
import { defineRoutes } from "../../../kernel/http/route.ts";
import { open } from "../../access.ts";

/** Given only when the database answers too. */
export const Healthy = t.Object({ status: t.Literal("ok"), version: t.String() });

export const healthRoutes = defineRoutes({
  "GET /api/health": { access: open(), out: Healthy },
});
