import { expect, test } from "bun:test";
import { days, hours, minutes } from "./duration.ts";
import { lengthInWords } from "./time-words.ts";

test("lengths are told in their largest fitting unit", () => {
  const lengths = [0, minutes(1), minutes(59), hours(1), hours(47), days(2), days(6.6)];
  expect(lengths.map(lengthInWords)).toEqual([
    "1 minute",
    "1 minute",
    "59 minutes",
    "1 hour",
    "47 hours",
    "2 days",
    "7 days",
  ]);
});
