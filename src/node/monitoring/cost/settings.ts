import type { SettingTable } from "../../../kernel/settings.ts";
import { type CostSettings, type CostSettingsInput, fail } from "./contract.ts";
import type { Needs } from "./needs.ts";

const checkRate = (value: string): string | null => (Number(value) >= 0 ? null : "must not be below 0");

/** Where the rates are kept; the defaults are about what a small rented server costs. */
export const costSettings: SettingTable = {
  "cost.cpu_core_hour": {
    default: "0.01",
    type: "number",
    doc: "Price of one processor core for an hour",
    check: checkRate,
  },
  "cost.memory_gb_hour": {
    default: "0.005",
    type: "number",
    doc: "Price of one GB of memory for an hour",
    check: checkRate,
  },
  "cost.disk_gb_hour": {
    default: "0.0001",
    type: "number",
    doc: "Price of one GB of disk for an hour",
    check: checkRate,
  },
  "cost.currency": {
    default: "EUR",
    doc: "Currency of the prices, three capital letters",
    check: (value) => (/^[A-Z]{3}$/.test(value) ? null : "must be three capital letters, such as EUR"),
  },
};

const RATES = ["cost.cpu_core_hour", "cost.memory_gb_hour", "cost.disk_gb_hour"];

/** The rates in force. */
export function readRates({ settings }: Pick<Needs, "settings">): CostSettings {
  return {
    rates_are_defaults: settings.list().some(({ key, is_set }) => RATES.includes(key) && !is_set),
    cpu_core_hour: Number(settings.get("cost.cpu_core_hour")),
    memory_gb_hour: Number(settings.get("cost.memory_gb_hour")),
    disk_gb_hour: Number(settings.get("cost.disk_gb_hour")),
    currency: settings.get("cost.currency"),
  };
}

/** Changes the rates that are named. Throws `cost_settings_empty`. */
export function writeRates(
  needs: Pick<Needs, "db" | "settings" | "bus">,
  by: { actor_id: string; ip: string },
  input: CostSettingsInput,
): CostSettings {
  const values = Object.fromEntries(Object.entries(input).map(([key, value]) => [`cost.${key}`, String(value)]));
  if (Object.keys(values).length === 0) throw fail("cost_settings_empty", { field: "body" });
  needs.db.tx(() => {
    needs.settings.put(values);
    needs.bus.emit("settings.changed", { ...by, keys: Object.keys(values) });
  });
  return readRates(needs);
}
