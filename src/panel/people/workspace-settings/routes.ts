import { Elysia } from "elysia";
import { can, signedIn } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { ModeInput, ModeState, WorkspaceSettings, WorkspaceSettingsChange } from "./contract.ts";
import { getMode, getSettings, putMode, putSettings } from "./logic.ts";

export const workspaceSettingsRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/v1/workspace" })
    .use(ctx.guard)
    .get("/settings", ({ actor }) => getSettings(actor.db), { access: signedIn(), response: WorkspaceSettings })
    .put("/settings", ({ actor, ip, body }) => putSettings(ctx, actor, ip, body), {
      access: can("settings:write", { ownRole: true }),
      body: WorkspaceSettingsChange,
      response: WorkspaceSettings,
    })
    .get("/mode", ({ actor }) => getMode(actor.db), { access: signedIn(), response: ModeState })
    .put("/mode", ({ actor, ip, body }) => putMode(ctx, actor, ip, body.mode), {
      access: can("settings:write"),
      body: ModeInput,
      response: ModeState,
    });
