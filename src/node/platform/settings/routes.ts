import { Elysia, t } from "elysia";
import { admin } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { Setting, SettingInput, SettingsInput, SettingValue } from "./contract.ts";
import { readSetting, writeSettings } from "./logic.ts";

export const settingRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/settings" })
    .use(ctx.guard)
    .get("", () => ctx.settings.list(), { access: admin("settings"), response: t.Array(Setting) })
    .put("", ({ actor, ip, body }) => writeSettings(ctx, { actor_id: actor.user_id, ip }, body), {
      access: admin("settings"),
      body: SettingsInput,
      response: t.Array(Setting),
    })
    .get("/:key", ({ params }) => readSetting(ctx, params.key), { access: admin("settings"), response: SettingValue })
    .put(
      "/:key",
      ({ actor, ip, params, body }) => {
        writeSettings(ctx, { actor_id: actor.user_id, ip }, { [params.key]: body.value });
        return readSetting(ctx, params.key);
      },
      { access: admin("settings"), body: SettingInput, response: SettingValue },
    );
