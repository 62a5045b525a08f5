import { expect, test } from "bun:test";
import type { TimelineEntry } from "../../../../src/node/platform/timeline/contract.ts";
import { csvField } from "../../../parts/csv.ts";
import { toCsv } from "./csv.ts";
import { dayOf, metricsLink } from "./words.ts";

const entry: TimelineEntry = {
  id: "evt_1",
  category: "app",
  type: "app.crashed",
  severity: "critical",
  title: 'Photos crashed: "web", again',
  count: 2,
  subject: { kind: "app", id: "app_1" },
  link: "/apps/app_1",
  timestamp: "2026-03-14T12:00:00.000Z",
};

test("a table that spreadsheets read and do not run", () => {
  expect(toCsv([entry])).toBe(
    "timestamp,category,severity,type,title,count,subject\r\n" +
      '2026-03-14T12:00:00.000Z,app,critical,app.crashed,"Photos crashed: ""web"", again",2,app:app_1\r\n',
  );
  for (const text of ["=1+1", "+1", "-1", "@x", "\tx"]) expect(csvField(text)).toStartWith("'");
  expect(csvField("two\nlines")).toBe('"two\nlines"');
});

test("the metrics half an hour to both sides", () => {
  const { searchParams, pathname } = new URL(metricsLink(entry), "http://node");
  expect([pathname, searchParams.get("from"), searchParams.get("to")]).toEqual([
    "/metrics",
    "2026-03-14T11:30:00.000Z",
    "2026-03-14T12:30:00.000Z",
  ]);
});

test("days are the reader's own", () => {
  const now = new Date(2026, 2, 14, 0, 5);
  const at = (...parts: [number, number, number, number]) => new Date(...parts).toISOString();
  expect(dayOf(at(2026, 2, 14, 0), now)).toBe("Today");
  expect(dayOf(at(2026, 2, 13, 23), now)).toBe("Yesterday");
  expect(dayOf(at(2026, 2, 12, 23), now)).toBe("Thursday, March 12, 2026");
});
