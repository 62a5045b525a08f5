import { expect, test } from "bun:test";
import { withEnds } from "./spans.ts";

const change = (at: string, to: string) => ({ at, from: "online", to, reasons: [] });

test("each status lasts until the next change, the newest until now, and never less than nothing", () => {
  const changes = [change("2026-01-01T00:02:00.000Z", "offline"), change("2026-01-01T00:00:00.000Z", "degraded")];
  const lasted = (now: string) => withEnds(changes, Date.parse(now)).map(({ lastedMs }) => lastedMs);
  expect(lasted("2026-01-01T00:02:30.000Z")).toEqual([30_000, 120_000]);
  expect(lasted("2026-01-01T00:01:00.000Z")).toEqual([0, 120_000]);
  expect(withEnds([], 0)).toEqual([]);
});
