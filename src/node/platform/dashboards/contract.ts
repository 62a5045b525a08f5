import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { user } from "../../access.ts";

export const DashboardType = t.Union([t.Literal("server"), t.Literal("personal")]);
export const DashboardQuery = t.Object({ type: DashboardType });

const Cell = t.Integer({ minimum: 0, maximum: 10_000 });
export const Widget = t.Object(
  {
    id: t.String({ minLength: 1, maxLength: 64 }),
    x: Cell,
    y: Cell,
    w: t.Integer({ minimum: 1, maximum: 10_000 }),
    h: t.Integer({ minimum: 1, maximum: 10_000 }),
  },
  { additionalProperties: false },
);
export type Widget = Static<typeof Widget>;

/** `version` is 0 until somebody saves a layout. */
export const Dashboard = t.Object({
  type: DashboardType,
  version: t.Integer(),
  layout: t.Array(Widget),
});
export type Dashboard = Static<typeof Dashboard>;

/** `version` is the one that was read; another one in between answers 409 with `current_version`. */
export const DashboardInput = t.Object({
  layout: t.Array(Widget, { maxItems: 200 }),
  version: t.Integer({ minimum: 0 }),
});
export type DashboardInput = Static<typeof DashboardInput>;

export const DashboardSaved = t.Object({ type: DashboardType, version: t.Integer() });
export type DashboardSaved = Static<typeof DashboardSaved>;

export const fail = defineErrors({
  stale_version: [
    409,
    "The layout was changed elsewhere; it is now at version {current_version}.",
    ({ current_version }) => ({ error: "stale_version", current_version }),
  ],
});

export const dashboardRoutes = defineRoutes({
  "GET /api/profile/dashboard": { access: user(), query: DashboardQuery, out: Dashboard },
  "PUT /api/profile/dashboard": { access: user(), query: DashboardQuery, body: DashboardInput, out: DashboardSaved },
});
export type DashboardApi = ApiOf<typeof dashboardRoutes>;
