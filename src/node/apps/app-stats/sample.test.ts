import { expect, test } from "bun:test";
import type { Usage } from "../../machine/index.ts";
import { cpuPercent, sumKnown, sumLimits } from "./sample.ts";

test("100 percent is one core", () => {
  const usage: Usage = {
    cpu_ns: 0,
    memory_bytes: 0,
    rx_bytes: 0,
    tx_bytes: 0,
    read_bytes: null,
    written_bytes: null,
  };
  expect(cpuPercent({ usage, at: 0 }, { usage: { ...usage, cpu_ns: 1.5e9 }, at: 1000 })).toBe(150);
  expect(cpuPercent({ usage, at: 5 }, { usage, at: 5 })).toBe(0);
});

test("what nobody counted is unknown, not nothing; what runs nowhere uses nothing", () => {
  expect(sumKnown([null, null])).toBeNull();
  expect(sumKnown([null, 5, 7])).toBe(12);
  expect(sumKnown([])).toBe(0);
});

test("limits together are never more than the server, and all of it when one service has none", () => {
  expect(sumLimits([64, 32], 1000)).toBe(96);
  expect(sumLimits([640, 620], 1000)).toBe(1000);
  expect(sumLimits([64, null], 1000)).toBe(1000);
  expect(sumLimits([64, null], 0)).toBeNull();
  expect(sumLimits([64], 0)).toBe(64);
});
