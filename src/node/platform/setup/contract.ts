import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { admin } from "../../access.ts";
import { NodeMode } from "../identity/contract.ts";

export const NodeSetupInput = t.Object({
  /** Checked by its own rule, which has its own error code. */
  name: t.String({ maxLength: 1024 }),
  mode: NodeMode,
  /** Template names; each becomes one app with default settings. */
  starter_apps: t.Optional(t.Array(t.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
  /** Who may reach the starter apps; without it each template's own word or the setting holds. */
  publish: t.Optional(t.Union([t.Literal("loopback"), t.Literal("lan")])),
});
export type NodeSetupInput = Static<typeof NodeSetupInput>;

export const StarterApp = t.Union([
  t.Object({ template: t.String(), app_id: t.String(), status: t.String() }),
  t.Object({ template: t.String(), error: t.String() }),
]);
export type StarterApp = Static<typeof StarterApp>;

export const NodeSetupResult = t.Object({ hostname: t.String(), mode: NodeMode, apps: t.Array(StarterApp) });
export type NodeSetupResult = Static<typeof NodeSetupResult>;

export const setupRoutes = defineRoutes({
  "POST /api/setup/node": { access: admin("settings", { keys: "never" }), body: NodeSetupInput, out: NodeSetupResult },
});
export type SetupApi = ApiOf<typeof setupRoutes>;
