import { expect, test } from "bun:test";
import { describeWhen, readWhen, writeWhen } from "./when.ts";

test("usual times become cron and words, and come back as they were", () => {
  for (const [cron, words] of [
    ["5 * * * *", "Every hour at minute 5"],
    ["30 3 * * *", "Every day at 03:30"],
    ["0 23 * * 1", "Every Monday at 23:00"],
    ["0 4 1 * *", "On the first of every month at 04:00"],
    ["0 */6 * * *", "At 0 */6 * * *"],
    ["0 4 1 * 2", "At 0 4 1 * 2"],
  ] as const) {
    expect([cron, describeWhen(cron), writeWhen(readWhen(cron))]).toEqual([cron, words, cron]);
  }
});

test("what is no time makes no cron", () => {
  for (const time of ["", "25:00", "3", "03:60"])
    expect(writeWhen({ rhythm: "daily", time, weekday: 0, cron: "" })).toBe(null);
  expect(writeWhen({ rhythm: "own", time: "03:00", weekday: 0, cron: " " })).toBe(null);
});
