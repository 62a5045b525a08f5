import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { admin } from "../../access.ts";

export const Setting = t.Object({
  key: t.String(),
  value: t.String(),
  default: t.String(),
  type: t.Union([t.Literal("text"), t.Literal("flag"), t.Literal("number")]),
  scope: t.String(),
  doc: t.String(),
  secret: t.Boolean(),
  is_set: t.Boolean(),
});
export type Setting = Static<typeof Setting>;

export const SettingValue = t.Object({ key: t.String(), value: t.String() });
export const SettingInput = t.Object({ value: t.String({ maxLength: 65_536 }) });
export const SettingsInput = t.Record(t.String({ maxLength: 200 }), t.String({ maxLength: 65_536 }), {
  maxProperties: 200,
});

export type SettingsEvents = {
  /** Values are left out: they may be secret. */
  "settings.changed": { actor_id: string; keys: string[]; ip: string };
};

export const fail = defineErrors({
  key_cannot_set: [
    403,
    "An API key cannot change {key}: it decides who or what is let in, or holds credentials. Sign in and do it there.",
  ],
});

export const settingRoutes = defineRoutes({
  "GET /api/settings": { access: admin("settings"), out: t.Array(Setting) },
  "PUT /api/settings": { access: admin("settings", { keys: "bounded" }), body: SettingsInput, out: t.Array(Setting) },
  "GET /api/settings/{key}": { access: admin("settings"), out: SettingValue },
  "PUT /api/settings/{key}": { access: admin("settings", { keys: "bounded" }), body: SettingInput, out: SettingValue },
});
export type SettingsApi = ApiOf<typeof settingRoutes>;
