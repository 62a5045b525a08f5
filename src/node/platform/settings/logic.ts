import { fail, type Setting } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** One setting as text. Reserved, unknown and secret keys read as empty, as the contract wants. */
export function readSetting({ settings }: Pick<Needs, "settings">, key: string): { key: string; value: string } {
  const found = settings.list().find((setting) => setting.key === key);
  return { key, value: found?.value ?? "" };
}

/** Stores values, all or none, and returns the whole list. Throws `key_cannot_set` for what only people change. */
export function writeSettings(
  { settings, bus, db }: Pick<Needs, "settings" | "bus" | "db">,
  { isKey, ...by }: { actor_id: string; ip: string; isKey: boolean },
  values: Record<string, string>,
): Setting[] {
  const keys = Object.keys(values);
  const barred = isKey ? keys.find(settings.isByPeopleOnly) : undefined;
  if (barred !== undefined) throw fail("key_cannot_set", { key: barred });
  db.tx(() => {
    settings.put(values);
    if (keys.length > 0) bus.emit("settings.changed", { ...by, keys });
  });
  return settings.list();
}
