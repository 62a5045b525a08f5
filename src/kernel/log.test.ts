import { expect, test } from "bun:test";
import { createTestLog } from "../../tests/kit/test-log.ts";

test("a line is JSON with time, level and message first", () => {
  const { log, text } = createTestLog();
  log.info("backup finished", { backup_id: "bkp_1", bytes: 3 });
  expect(text()).toBe(
    '{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"backup finished","backup_id":"bkp_1","bytes":3}',
  );
});

test("lines below the level are not written", () => {
  const { log, lines } = createTestLog("warn");
  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");
  expect(lines.map(({ msg }) => msg)).toEqual(["c", "d"]);
});

test("a child carries its fields", () => {
  const { log, lines } = createTestLog();
  log.child({ feature: "apps" }).child({ app_id: "app_1" }).warn("x", { extra: 1 });
  expect(lines[0]).toMatchObject({ feature: "apps", app_id: "app_1", extra: 1 });
});

test.each([
  "password",
  "new_password",
  "password_hash",
  "passwordHash",
  "PASSWD",
  "passphrase",
  "client_secret",
  "refresh_token",
  "Authorization",
  "set-cookie",
  "api_key",
  "apiKey",
  "privateKey",
  "credentials",
])("the field %s is never written", (name) => {
  const { log, text } = createTestLog();
  log.child({ [name]: "hunter2" }).info("x", { [name]: "hunter2", deep: { list: [{ [name]: "hunter2" }] } });
  expect(text()).not.toContain("hunter2");
  expect(text()).toContain("[redacted]");
});

test("a secret is not written however deep it lies", () => {
  const { log, text } = createTestLog();
  log.info("x", { a: { b: { c: { d: { e: { f: { password: "hunter2" } } } } } } });
  expect(text()).not.toContain("hunter2");
});

test("no field can pose as time, level or message", () => {
  const { log, lines } = createTestLog();
  log.info("real", { msg: "posed", level: "error", time: "never" });
  expect(lines[0]).toEqual({ time: "2026-01-01T00:00:00.000Z", level: "info", msg: "real" });
});

test("an error is written with code and cause, and line breaks stay inside the line", () => {
  const { log, lines, text } = createTestLog();
  const cause = Object.assign(new Error("disk\nfull"), { code: "SQLITE_FULL" });
  log.error("failed", { error: new Error("write failed", { cause }) });
  expect(lines[0]?.["error"]).toMatchObject({
    name: "Error",
    message: "write failed",
    cause: { message: "disk\nfull", code: "SQLITE_FULL" },
  });
  expect(text()).not.toContain("\n");
});

test("logging never throws and never floods", () => {
  const { log, lines, text } = createTestLog();
  const cycle: Record<string, unknown> = { name: "loop" };
  cycle["self"] = cycle;
  const hostile = {
    get value(): string {
      throw new Error("no");
    },
  };
  log.info("cycle", { cycle });
  log.info("big number", { big: 12n });
  log.info("date", { at: new Date(0), bytes: new Uint8Array(5_000_000), many: Array(100_000).fill(1) });
  log.info("hostile", { hostile });
  expect(lines.map(({ msg }) => msg)).toEqual(["cycle", "big number", "date", "hostile"]);
  expect(lines[1]).toMatchObject({ big: "12" });
  expect(lines[2]).toMatchObject({ at: "1970-01-01T00:00:00.000Z", bytes: "[5000000 bytes]" });
  expect(text().length).toBeLessThan(2_000);
});
