import { expect, test } from "bun:test";
import type { DiskHealthEntry, PhysicalDisk } from "../../../../src/node/monitoring/disks/contract.ts";
import { kindOf, readingOf, stateOf } from "./words.ts";

const smart: PhysicalDisk["smart"] = {
  available: true,
  healthy: true,
  status: "Healthy",
  temperature_c: 36,
  power_on_hours: 1,
  reallocated_sectors: 0,
  pending_sectors: 0,
  media_errors: null,
  percentage_used: null,
};
const disk: PhysicalDisk = {
  device: "/dev/sda",
  model: null,
  serial: null,
  size_bytes: 1,
  used_bytes: 0,
  used_percent: 0,
  mounts: [],
  rotational: true,
  transport: "sata",
  smart,
};
const health: DiskHealthEntry = {
  device: "/dev/sda",
  model: null,
  serial: null,
  available: true,
  healthy: true,
  status: "Healthy",
  state: "read",
  read_at: "2026-01-01T00:00:00.000Z",
  age_seconds: 720,
  verdict: "",
  next_step: null,
  notes: [],
};

test("a disk that is asleep or unknown is neither well nor ill", () => {
  expect(stateOf(smart)).toBe("ok");
  expect(stateOf({ ...smart, healthy: false, status: "8 reallocated" })).toBe("warn");
  expect(stateOf({ ...smart, healthy: false, status: "Failing" })).toBe("crit");
  expect(stateOf({ ...smart, healthy: null, available: false, status: "Unknown" })).toBe("unknown");
});

test("the age of the reading in words", () => {
  const plain = (entry: DiskHealthEntry) => readingOf(entry).replaceAll("\u00a0", " ");
  expect(plain(health)).toBe("read 12 min ago");
  expect(plain({ ...health, state: "asleep", age_seconds: 10_800 })).toBe("asleep, read 3 h ago");
  expect(plain({ ...health, state: "asleep", age_seconds: null })).toBe("asleep, not read yet");
  expect(plain({ ...health, state: "virtual", age_seconds: null })).toBe("no reading");
  expect(plain({ ...health, state: "unreadable", age_seconds: null })).toBe("no reading");
});

test("kinds", () => {
  expect(kindOf(disk)).toBe("SATA hard disk");
  expect(kindOf({ ...disk, transport: "nvme", rotational: false })).toBe("NVMe flash disk");
  expect(kindOf({ ...disk, transport: "virtio" })).toBe("Virtual disk");
  expect(kindOf({ ...disk, transport: null })).toBe("hard disk");
});
