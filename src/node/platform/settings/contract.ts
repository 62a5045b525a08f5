import { type Static, t } from "elysia";

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

export type SettingsApi = {
  "GET /api/settings": { out: Setting[] };
  "PUT /api/settings": { in: Record<string, string>; out: Setting[] };
  "GET /api/settings/{key}": { out: Static<typeof SettingValue> };
  "PUT /api/settings/{key}": { in: Static<typeof SettingInput>; out: Static<typeof SettingValue> };
};
