import type { Store } from "./db/store.ts";
import { defineErrors } from "./http/errors.ts";
import type { Seal } from "./seal.ts";

/** One setting, declared once by the feature that reads it. Values travel as text. */
export interface SettingSpec {
  default: string;
  doc: string;
  /** How screens show it; text unless told. A flag is `true` or `false`. */
  type?: "text" | "flag" | "number";
  /** Area that the setting belongs to, named like the scopes of API keys; `settings` unless told. */
  scope?: string;
  /** Sealed at rest and never shown. */
  secret?: boolean;
  /**
   * Decides who is let in, how far something can be reached, where people are sent to sign in, or what programs are run: changed
   * by people alone. So is what is `secret`, without this word.
   */
  byPeopleOnly?: true;
  /** Returns what is wrong with a value, or null. */
  check?(value: string): string | null;
}
export type SettingTable = Record<string, SettingSpec>;

export interface Settings {
  /** The stored value or the default. Throws for an undeclared key: that is a programming error. */
  get(key: string): string;
  /** Stores several values at once, all or none. Throws `setting_unknown`, `setting_invalid`, `settings_key_reserved`. */
  put(values: Record<string, string>): void;
  /** True for a setting that only people change; false for unknown keys too. */
  isByPeopleOnly(key: string): boolean;
  /** Every declared setting; secrets show only whether they are set. */
  list(): SettingEntry[];
}

export interface SettingEntry {
  key: string;
  value: string;
  default: string;
  type: "text" | "flag" | "number";
  scope: string;
  doc: string;
  secret: boolean;
  is_set: boolean;
}

export const settingsFail = defineErrors({
  setting_unknown: [400, "There is no setting {key}."],
  setting_invalid: [400, "{key}: {reason}"],
  settings_key_reserved: [400, "{key} belongs to the object store and cannot be set here."],
});

/** True for keys that the contract keeps out of this store. */
export const isReservedKey = (key: string): boolean => key.startsWith("objstore.");

/** What is wrong with a value by its type alone. */
function checkType(type: SettingSpec["type"], value: string): string | null {
  if (type === "flag" && value !== "true" && value !== "false") return "must be true or false";
  if (type === "number" && (value.trim() === "" || !Number.isFinite(Number(value)))) return "must be a number";
  return null;
}

/** The settings of a program over its `settings` table. */
export function createSettings(store: Store, seal: Seal, table: SettingTable, nowIso: () => string): Settings {
  const find = (key: string) =>
    store.raw.query<{ value: string }, [string]>("SELECT value FROM settings WHERE key = ?").get(key)?.value;

  function specOf(key: string): SettingSpec {
    if (isReservedKey(key)) throw settingsFail("settings_key_reserved", { key });
    // Own keys only: `constructor` is in every object, but no setting.
    const spec = Object.hasOwn(table, key) ? table[key] : undefined;
    if (!spec) throw settingsFail("setting_unknown", { key });
    return spec;
  }

  return {
    get(key) {
      const spec = specOf(key);
      const stored = find(key);
      if (stored === undefined) return spec.default;
      return spec.secret ? seal.open(`setting:${key}`, stored) : stored;
    },
    put(values) {
      const rows = Object.entries(values).map(([key, value]) => {
        const spec = specOf(key);
        const reason = checkType(spec.type, value) ?? spec.check?.(value) ?? null;
        if (reason !== null) throw settingsFail("setting_invalid", { key, reason });
        return { key, value: spec.secret ? seal.seal(`setting:${key}`, value) : value };
      });
      store.tx(() => {
        const write = store.raw.query("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)");
        for (const { key, value } of rows) write.run(key, value, nowIso());
      });
    },
    isByPeopleOnly: (key) =>
      Object.hasOwn(table, key) && (table[key]?.byPeopleOnly === true || table[key]?.secret === true),
    list: () =>
      Object.entries(table).map(([key, spec]) => {
        const stored = find(key);
        const value = spec.secret ? "" : (stored ?? spec.default);
        return {
          key,
          value,
          default: spec.default,
          type: spec.type ?? "text",
          scope: spec.scope ?? "settings",
          doc: spec.doc,
          secret: spec.secret ?? false,
          is_set: stored !== undefined,
        };
      }),
  };
}
