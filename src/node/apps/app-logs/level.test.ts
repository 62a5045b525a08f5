import { expect, test } from "bun:test";
import { detectLevel, stripColours } from "./level.ts";

// Lines as well-known apps write them.
test.each([
  ['{"level":"warn","ts":1,"msg":"x"}', "warn"],
  ['{"time":1,"level":30,"msg":"error page served"}', "info"],
  ['{"time":1,"level":50,"msg":"x"}', "error"],
  ['time=2026 level=error msg="x"', "error"],
  ["2026-01-01 10:00:00 ERROR [main] x", "error"],
  ["2026-01-01T10:00:00Z [info] x", "info"],
  ["INFO tick 1", "info"],
  ["WARNING: no config", "warn"],
  ["2026-01-01 00:00:00.000 UTC [1] FATAL:  database does not exist", "error"],
  ["2026-01-01 00:00:00.000 UTC [1] LOG:  listening", "info"],
  ["1:M 01 Jan 2026 * Ready to accept connections", null],
  ["127.0.0.1 - - GET /error/info HTTP/1.1 200", null],
  ["there was no error at all", null],
  ["nginx: [emerg] bind() failed", "error"],
  ["error: cannot open file", "error"],
  ["[2026-01-01] DEBUG x", "debug"],
  ["", null],
])("%s is %s", (line, level) => {
  expect(detectLevel(line)).toBe(level as never);
});

test("colours are taken off", () => {
  expect(stripColours("\u001b[32mINFO\u001b[0m ready \u001b[1;31mx")).toBe("INFO ready x");
});
