import { expect, test } from "bun:test";
import { keptFilters, readView, rowOf, streamQuery, targetOf, textOf } from "./view.ts";

const view = (query: string) => readView(new URLSearchParams(query));
const line = (ts: string | null, message = "x") => ({ ts, level: null, source: "ssh.service", message });

test("an address becomes the question to the panel, and what it says wrong is left out", () => {
  expect(streamQuery(view(""))).toEqual({ source: "journal", lines: 1000 });
  expect(streamQuery(view("unit=ssh,+cron.timer&level=warn&q=a|b&days=7"))).toEqual({
    ...{ source: "journal", unit: ["ssh", "cron.timer"], level: "warn", grep: "a|b", since: "7d", lines: 1000 },
  });
  expect(streamQuery(view("app=blog&unit=ssh&level=loud"))).toEqual({ source: "app", app: "blog", lines: 1000 });
  expect(streamQuery(view("at=2026-01-01T00:01:00.5Z&days=7"))).toEqual({
    ...{ source: "journal", since: "2026-01-01T00:00:00.500Z", follow: false, lines: 5000 },
  });
});

test("the time of a line leads to its moment in the same log", () => {
  const row = rowOf(line("2026-01-01T00:00:01.000001Z"), 1, "/nodes/a/logs", keptFilters(view("unit=ssh&q=x")));
  expect(row.href).toBe("/nodes/a/logs?unit=ssh&at=2026-01-01T00%3A00%3A01.000001Z");
  expect(rowOf(line(null), 1, "/nodes/a/logs", "").href).toBeNull();
});

test("the moment is at the first line that is not before it", () => {
  const rows = ["00:01", "00:02", "00:04"].map((time, key) => rowOf(line(`2026-01-01T00:${time}Z`), key, "", ""));
  expect(targetOf(rows, "2026-01-01T00:00:03Z")).toBe(2);
  expect(targetOf(rows, "2026-01-01T00:00:09Z")).toBe(2);
  expect(targetOf([], "2026-01-01T00:00:03Z")).toBeNull();
  expect(textOf(line(null, "words"))).toBe("- ssh.service - words");
});
