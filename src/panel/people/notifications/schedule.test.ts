import { expect, test } from "bun:test";
import type { Delivery } from "./contract.ts";
import { AT_ONCE, dueAt, isZone } from "./schedule.ts";

const due = (delivery: Partial<Delivery>, iso: string, severity = "warning"): string =>
  new Date(dueAt({ ...AT_ONCE, ...delivery }, severity, Date.parse(iso))).toISOString().slice(0, 16);

const NIGHT = { quiet: { from: "22:00", to: "07:00" }, time_zone: "Europe/Berlin" };

test("at once, unless it is quiet there; what is critical waits for nothing", () => {
  expect(due({}, "2026-01-01T03:00:00Z")).toBe("2026-01-01T03:00");
  expect(due(NIGHT, "2026-01-01T20:59:00Z")).toBe("2026-01-01T20:59");
  expect(due(NIGHT, "2026-01-01T21:00:00Z")).toBe("2026-01-02T06:00");
  expect(due(NIGHT, "2026-01-02T05:59:59Z")).toBe("2026-01-02T06:00");
  expect(due(NIGHT, "2026-01-02T06:00:00Z")).toBe("2026-01-02T06:00");
  expect(due(NIGHT, "2026-01-01T23:00:00Z", "critical")).toBe("2026-01-01T23:00");
  const noon = { ...NIGHT, quiet: { from: "12:00", to: "13:00" } };
  expect(due(noon, "2026-01-01T11:30:00Z")).toBe("2026-01-01T12:00");
  expect(due(noon, "2026-01-01T12:00:00Z")).toBe("2026-01-01T12:00");
});

test("once a day and once a week by the clocks of the place, in summer and winter", () => {
  const daily = { digest: "daily" as const, digest_at: "08:00", time_zone: "Europe/Berlin" };
  expect(due(daily, "2026-01-01T06:59:00Z")).toBe("2026-01-01T07:00");
  expect(due(daily, "2026-01-01T07:00:00Z")).toBe("2026-01-02T07:00");
  // The clocks go forward in the night between.
  expect(due(daily, "2026-03-28T08:00:00Z")).toBe("2026-03-29T06:00");
  // A time that the clocks skip comes as soon as they have.
  expect(due({ ...daily, digest_at: "02:30" }, "2026-03-28T12:00:00Z")).toBe("2026-03-29T01:30");
  const weekly = { ...daily, digest: "weekly" as const };
  // A Thursday, and a Monday before and after the hour.
  expect(due(weekly, "2026-01-01T12:00:00Z")).toBe("2026-01-05T07:00");
  expect(due(weekly, "2026-01-05T06:00:00Z")).toBe("2026-01-05T07:00");
  expect(due(weekly, "2026-01-05T07:00:00Z")).toBe("2026-01-12T07:00");
});

test("a zone has a name", () => {
  expect(["Europe/Berlin", "UTC", "+01:00", "Nowhere/None", ""].map(isZone)).toEqual([true, true, false, false, false]);
});
