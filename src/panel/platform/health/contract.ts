import { t } from "elysia";

/** Given only when the database answers too. */
export const Healthy = t.Object({ status: t.Literal("ok"), version: t.String() });
