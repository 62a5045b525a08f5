import { expect, test } from "bun:test";
import { isActive, nextSpan, occurrences, type Recurrence } from "./recurrence.ts";

const BERLIN = "Europe/Berlin";
const at = (iso: string): number => Date.parse(iso);
const window = (start: string, end: string, repeat: Recurrence["repeat"], timezone = BERLIN): Recurrence => ({
  start,
  end,
  repeat,
  timezone,
});
const list = (of: Recurrence, from: string, to: string) =>
  [...occurrences(of, at(from), at(to))].map(({ start, end }) => [
    new Date(start).toISOString().slice(0, 16),
    new Date(end).toISOString().slice(0, 16),
  ]);

test("the start is inside, the end is not", () => {
  const once = window("2026-01-10T10:00", "2026-01-10T11:00", "one-time");
  expect(isActive(once, at("2026-01-10T09:00:00Z") - 1)).toBe(false);
  expect(isActive(once, at("2026-01-10T09:00:00Z"))).toBe(true);
  expect(isActive(once, at("2026-01-10T10:00:00Z") - 1)).toBe(true);
  expect(isActive(once, at("2026-01-10T10:00:00Z"))).toBe(false);
  expect(nextSpan(once, at("2026-01-10T10:00:00Z"))).toBeNull();
});

test("in spring a time that is skipped comes an hour later", () => {
  const nightly = window("2026-01-01T02:30", "2026-01-01T04:00", "daily");
  expect(list(nightly, "2026-03-28T00:00Z", "2026-03-31T00:00Z")).toEqual([
    ["2026-03-28T01:30", "2026-03-28T03:00"],
    ["2026-03-29T01:30", "2026-03-29T02:00"],
    ["2026-03-30T00:30", "2026-03-30T02:00"],
  ]);
});

test("in autumn the first of two passes counts", () => {
  const nightly = window("2026-01-01T02:30", "2026-01-01T03:00", "daily");
  expect(list(nightly, "2026-10-25T00:00Z", "2026-10-26T00:00Z")).toEqual([["2026-10-25T00:30", "2026-10-25T02:00"]]);
});

test("a window that a clock change swallows whole does not take place", () => {
  const nightly = window("2026-01-01T02:30", "2026-01-01T03:00", "daily");
  expect(list(nightly, "2026-03-29T00:00Z", "2026-03-29T12:00Z")).toEqual([]);
});

test("midnight is no border", () => {
  const nightly = window("2026-01-01T22:00", "2026-01-02T06:00", "daily");
  expect(isActive(nightly, at("2026-06-02T01:00:00Z"))).toBe(true);
  expect(isActive(nightly, at("2026-06-02T04:00:00Z"))).toBe(false);
  expect(isActive(nightly, at("2026-01-01T02:00:00Z"))).toBe(false);
});

test("the 31st is the last day of shorter months", () => {
  const monthly = window("2026-01-31T22:00", "2026-02-01T02:00", "monthly", "UTC");
  expect(list(monthly, "2026-01-01T00:00Z", "2026-06-01T00:00Z").map(([start]) => start)).toEqual([
    "2026-01-31T22:00",
    "2026-02-28T22:00",
    "2026-03-31T22:00",
    "2026-04-30T22:00",
    "2026-05-31T22:00",
  ]);
  expect(isActive(monthly, at("2026-03-01T01:59:00Z"))).toBe(true);
});

test("weekly keeps its weekday", () => {
  const weekly = window("2026-01-04T03:00", "2026-01-04T04:00", "weekly", "America/New_York");
  expect(list(weekly, "2026-03-01T00:00Z", "2026-03-16T00:00Z").map(([start]) => start)).toEqual([
    "2026-03-01T08:00",
    "2026-03-08T07:00",
    "2026-03-15T07:00",
  ]);
});

test("a date that a zone left out is no trouble", () => {
  const daily = window("2011-12-01T10:00", "2011-12-01T11:00", "daily", "Pacific/Apia");
  expect(list(daily, "2011-12-29T00:00Z", "2012-01-01T00:00Z").length).toBeGreaterThanOrEqual(2);
});
