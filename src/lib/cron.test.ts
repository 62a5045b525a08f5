import { expect, test } from "bun:test";
import { parseCron } from "./cron.ts";

const at = (text: string) => new Date(text).getTime();
/** The next moments after one, in the machine's zone. */
function nextOf(cron: string, after: string, count = 3): string[] {
  const found: string[] = [];
  let moment = at(after);
  for (let turn = 0; turn < count; turn += 1) {
    moment = parseCron(cron)?.next(moment) ?? Number.NaN;
    const day = new Date(moment);
    const two = (number: number) => String(number).padStart(2, "0");
    found.push(`${day.getMonth() + 1}-${two(day.getDate())} ${two(day.getHours())}:${two(day.getMinutes())}`);
  }
  return found;
}

test("fields of cron are read as cron reads them", () => {
  const from = "2026-06-10T12:00:00";
  expect(nextOf("30 3 * * *", from)).toEqual(["6-11 03:30", "6-12 03:30", "6-13 03:30"]);
  expect(nextOf("0 */6 * * *", from)).toEqual(["6-10 18:00", "6-11 00:00", "6-11 06:00"]);
  expect(nextOf("0,30 9-10 * * mon-fri", from)).toEqual(["6-11 09:00", "6-11 09:30", "6-11 10:00"]);
  expect(nextOf("0 4 1 * *", from)).toEqual(["7-01 04:00", "8-01 04:00", "9-01 04:00"]);
  // Either of both days.
  expect(nextOf("0 4 13 * fri", from)).toEqual(["6-12 04:00", "6-13 04:00", "6-19 04:00"]);
  expect(nextOf("0 4 * * 7", from, 1)).toEqual(nextOf("0 4 * * SUN", from, 1));
  expect(nextOf("5/20 0 * * *", from)).toEqual(["6-11 00:05", "6-11 00:25", "6-11 00:45"]);
  expect(nextOf("0 0 29 feb *", "2026-06-10T12:00:00", 1)).toEqual(["2-29 00:00"]);
  expect(parseCron("0 0 31 2 *")?.next(at(from))).toBe(null);
});

test("what is no cron is refused", () => {
  for (const text of ["", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8"])
    expect([text, parseCron(text)]).toEqual([text, null]);
  for (const text of [
    "5-1 * * * *",
    "*/0 * * * *",
    "a * * * *",
    "*-5 * * * *",
    "1,,2 * * * *",
    "-1 * * * *",
    "1- * * * *",
  ])
    expect([text, parseCron(text)]).toEqual([text, null]);
});

test("the next moment is always later, on the minute, and none that fits lies between", () => {
  for (const cron of ["*/7 * * * *", "13 2,3 * * *", "0 0 1 */2 *", "59 23 * * 1,3"]) {
    let moment = at("2026-03-27T00:00:00");
    for (let turn = 0; turn < 200; turn += 1) {
      const next = parseCron(cron)?.next(moment) ?? 0;
      expect(next).toBeGreaterThan(moment);
      expect(next % 60_000).toBe(0);
      expect(parseCron(cron)?.next(next - 1)).toBe(next);
      moment = next;
    }
  }
});
