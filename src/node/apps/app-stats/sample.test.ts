import { expect, test } from "bun:test";
import type { Usage } from "../../machine/index.ts";
import { cpuPercent } from "./sample.ts";

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
