import { expect, test } from "bun:test";
import type { LiveMetrics } from "../../../../src/node/monitoring/system/contract.ts";
import { liveLength } from "../../monitoring/system/live.ts";
import { pastValues, withoutEmptyStart } from "./past.ts";

const START = Date.UTC(2026, 0, 1);
const recent = (offsets: number[]) =>
  offsets.map((seconds) => ({
    at: new Date(START + seconds * 1000).toISOString(),
    cpu_percent: seconds,
    ram_used_bytes: null,
    rx_bytes_per_sec: null,
    tx_bytes_per_sec: null,
    read_bytes_per_sec: null,
    write_bytes_per_sec: null,
  }));
const live = (seconds: number): LiveMetrics => ({
  at: new Date(START + seconds * 1000).toISOString(),
  cpu_percent: 0,
  per_core: [],
  cpu_temp_c: null,
  load: [0, 0, 0],
  ram_used_bytes: 0,
  ram_total_bytes: 1,
  swap_used_bytes: 0,
  net: { iface: "", rx_bytes_per_sec: 0, tx_bytes_per_sec: 0 },
  ifaces: [],
  disk_io: { read_bytes_per_sec: 0, write_bytes_per_sec: 0 },
});
const cpu = (sample: { cpu_percent: number | null }) => [sample.cpu_percent];

test("seconds between two samples lie on the line between them, up to the first live one", () => {
  const values = pastValues(recent([0, 10, 20]), [live(30)], cpu);
  expect(values).toHaveLength(liveLength - 1);
  // The middle of the sample that starts at 10 s is at 15 s; this is second 20.
  expect(values.at(-10)).toEqual([15]);
  expect(values.at(-15)?.[0]).toBe(10);
});

test("what the history does not have is a gap", () => {
  expect(pastValues(recent([0, 60]), [live(70)], cpu).at(-35)).toEqual([null]);
  expect(pastValues(recent([0]), [live(110)], cpu).at(-1)).toEqual([null]);
  expect(pastValues([], [live(0)], cpu)).toEqual([]);
});

test("a full chart needs no past", () => {
  const all = Array.from({ length: liveLength }, (_, second) => live(second));
  expect(pastValues(recent([0]), all, cpu)).toEqual([]);
});

test("a chart begins where there is something to show", () => {
  expect(
    withoutEmptyStart([
      [null, null],
      [null, 2],
      [null, null],
      [3, 4],
    ]),
  ).toEqual([
    [null, 2],
    [null, null],
    [3, 4],
  ]);
  expect(withoutEmptyStart([[null]])).toEqual([]);
});
