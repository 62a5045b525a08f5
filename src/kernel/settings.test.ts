import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createStore } from "./db/store.ts";
import { AppError } from "./http/errors.ts";
import { createSeal } from "./seal.ts";
import { createSettings, type SettingTable } from "./settings.ts";

const TABLE: SettingTable = {
  "mail.host": { default: "localhost", doc: "where" },
  "mail.port": { default: "25", doc: "which", check: (value) => (/^\d+$/.test(value) ? null : "must be a number") },
  "mail.password": { default: "", doc: "secret", secret: true },
};

function createTestSettings() {
  const raw = new Database(":memory:");
  raw.run("CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT");
  const settings = createSettings(createStore(raw), createSeal(new Uint8Array(32)), TABLE, () => "now");
  return {
    settings,
    rows: () => raw.query<{ key: string; value: string }, []>("SELECT key, value FROM settings").all(),
  };
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return "none";
}

test("a setting reads as its default until it is stored", () => {
  const { settings } = createTestSettings();
  expect(settings.get("mail.host")).toBe("localhost");
  settings.put({ "mail.host": "mx.example", "mail.port": "587" });
  expect([settings.get("mail.host"), settings.get("mail.port")]).toEqual(["mx.example", "587"]);
  settings.put({ "mail.host": "" });
  expect(settings.get("mail.host")).toBe("");
});

test("a secret is sealed at rest, opens for its reader and is never listed", () => {
  const { settings, rows } = createTestSettings();
  settings.put({ "mail.password": "hunter2" });
  expect(JSON.stringify(rows())).not.toContain("hunter2");
  expect(settings.get("mail.password")).toBe("hunter2");
  expect(JSON.stringify(settings.list())).not.toContain("hunter2");
  expect(settings.list().find(({ key }) => key === "mail.password")).toMatchObject({
    value: "",
    secret: true,
    is_set: true,
  });
});

test.each([
  ["unknown", "mail.nothing", "setting_unknown"],
  ["reserved", "objstore.root", "settings_key_reserved"],
  ["invalid", "mail.port", "setting_invalid"],
  ["inherited by every object", "constructor", "setting_unknown"],
  ["inherited by every object", "__proto__", "setting_unknown"],
  ["inherited by every object", "toString", "setting_unknown"],
])("one bad key (%s: %s) stores nothing at all", (_why, key, code) => {
  const { settings, rows } = createTestSettings();
  expect(codeOf(() => settings.put({ "mail.host": "mx.example", ...JSON.parse(`{"${key}":"x"}`) }))).toBe(code);
  expect(rows()).toEqual([]);
});

test("reading an undeclared setting is a programming error, also under an inherited name", () => {
  const { settings } = createTestSettings();
  expect(codeOf(() => settings.get("mail.nothing"))).toBe("setting_unknown");
  expect(codeOf(() => settings.get("hasOwnProperty"))).toBe("setting_unknown");
  expect(codeOf(() => settings.get("objstore.root"))).toBe("settings_key_reserved");
});
