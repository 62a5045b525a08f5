import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../../lib/duration.ts";
import { createJudgedTime } from "./judged-time.ts";

interface Brings {
  ms?: number;
  isBelieved?: boolean;
  isKnown?: boolean;
  most?: number;
}

/** How many answers from each of those are judged before somebody has to wait. */
function createWorld() {
  const clock = createFakeClock();
  const time = createJudgedTime(clock);
  const bring = (ip: string, { ms = 100, isBelieved = false, isKnown = true, most = 1_000 }: Brings = {}): number => {
    const spender = { connector_id: "one", ip, isKnown };
    for (let no = 0; no < most; no++) {
      if (time.wait(spender) > 0) return no;
      time.count(spender, { ms, isBelieved });
    }
    return most;
  };
  const mayCome = (ip: string, isKnown = true): boolean => time.wait({ connector_id: "one", ip, isKnown }) === 0;
  return { clock, bring, mayCome };
}
const honest = { ms: 20, isBelieved: true };
const range = (count: number, of: (no: number) => string): string[] => Array.from({ length: count }, (_, no) => of(no));

test("who brings what is refused spends a fifth, and their colleagues go on", async () => {
  const { clock, bring } = createWorld();
  expect([bring("192.0.2.1"), bring("198.51.100.1", { ...honest, most: 500 })]).toEqual([15, 500]);
  // As fast as it comes back.
  for (let minute = 0; minute < 60; minute++) {
    await clock.advance(minutes(1));
    expect(bring("192.0.2.1")).toBeLessThanOrEqual(4);
    expect(bring("198.51.100.1", { ...honest, most: 100 })).toBe(100);
  }
});

test("where many networks spend all, each known one that spent little still comes in, over and over", async () => {
  const { clock, bring, mayCome } = createWorld();
  const spend = (): void => range(40, (no) => `10.${no}.0.1`).forEach((ip) => void bring(ip));
  spend();
  expect([mayCome("10.3.0.1"), bring("198.51.100.1", honest)]).toEqual([false, 50]);
  for (let minute = 0; minute < 30; minute++) {
    await clock.advance(minutes(1));
    spend();
    expect(bring("198.51.100.1", honest)).toBeGreaterThanOrEqual(29);
  }
});

test("what is left of all that way is bounded for a site of known networks", () => {
  const { bring } = createWorld();
  for (const ip of range(40, (no) => `10.${no}.0.1`)) bring(ip);
  const judged = range(200, (no) => `2001:db8:1:${no.toString(16)}::1`).map((ip) => bring(ip, honest));
  expect(judged.reduce((sum, count) => sum + count, 0)).toBe(225);
});

test("neighbours who are known spend nothing of an office, and strangers what their site and provider have", () => {
  const { bring, mayCome } = createWorld();
  for (const ip of range(20, (no) => `192.0.2.${no + 10}`)) bring(ip, { most: 3 });
  expect(mayCome("192.0.2.1")).toBe(true);
  const of = (ips: string[]): number => ips.reduce((sum, ip) => sum + bring(ip, { isKnown: false }), 0);
  expect(of(range(20, (no) => `203.0.113.${no}`))).toBe(23);
  // Each other site of the provider has some after that, until all is spent; then other providers have.
  expect(of(range(8, (no) => `203.0.${no}.1`))).toBe(7 + 7 * 5);
  expect([mayCome("203.0.200.1", false), mayCome("203.0.113.30", false)]).toEqual([true, false]);
  of(range(20, (no) => `203.0.${no + 10}.1`));
  expect([mayCome("203.0.200.1", false), mayCome("203.1.0.1", false), mayCome("203.0.200.1")]).toEqual([
    false,
    true,
    true,
  ]);
});
