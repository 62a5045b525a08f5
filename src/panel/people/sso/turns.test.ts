import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Bringer } from "./belief.ts";
import { createTurns } from "./turns.ts";

/** Providers that are silent until they are told to answer, of whom it is known how often they were asked. */
function createWorld() {
  const clock = createFakeClock();
  const turns = createTurns(clock);
  let silence = Promise.withResolvers<void>();
  let asked = 0;
  let refused = 0;
  /** Has so many come from each address; gives for how many was asked and how many were refused since the last time, once all is settled. */
  async function come(
    ips: string[],
    each: number,
    more: Partial<Bringer> = {},
  ): Promise<[asked: number, refused: number]> {
    for (const ip of ips)
      for (let no = 0; no < each; no++) {
        const bringer = { connector_id: "corp", ip, isKnown: false, left: new AbortController().signal, ...more };
        turns(bringer, () => {
          asked += 1;
          return silence.promise;
        }).catch(({ code }) => {
          expect(code).toBe("too_many_requests");
          refused += 1;
        });
      }
    await setImmediate();
    const since: [number, number] = [asked, refused];
    [asked, refused] = [0, 0];
    return since;
  }
  /** Those that are asked afterwards are silent again. */
  function answer(): void {
    silence.resolve();
    silence = Promise.withResolvers<void>();
  }
  return { clock, come, answer };
}
const addresses = (count: number, of: (no: number) => string): string[] =>
  Array.from({ length: count }, (_, no) => of(no));
const hex = (no: number): string => no.toString(16);

test("of strangers a network has four at a time at a connector, a site six, a provider twelve and all of them 24", async () => {
  const { come } = createWorld();
  expect(await come(["2001:db8:1:1::1"], 12)).toEqual([4, 2]);
  expect(
    (
      await come(
        addresses(30, (no) => `2001:db8:1:${hex(no + 2)}::1`),
        1,
      )
    )[0],
  ).toBe(2);
  expect(
    (
      await come(
        addresses(30, (no) => `2001:db8:${hex(no + 2)}::1`),
        1,
      )
    )[0],
  ).toBe(6);
  expect(
    (
      await come(
        addresses(30, (no) => `10.${no}.0.1`),
        1,
      )
    )[0],
  ).toBe(12);
});

test("a silent provider of one connector keeps no turn from others, and known networks have theirs", async () => {
  const { clock, come } = createWorld();
  const crowd = addresses(100, (no) => `10.${no}.0.1`);
  expect((await come(crowd, 1))[0]).toBe(24);
  expect(await come(["10.1.0.1"], 1, { connector_id: "other" })).toEqual([1, 0]);
  expect(await come(["10.1.0.1"], 14, { isKnown: true })).toEqual([12, 0]);
  // Nobody waits for longer than they look at a page.
  await clock.advance(seconds(20));
  expect(await come([], 0)).toEqual([0, 76 + 2]);
});

for (const isKnown of [true, false])
  test(`${isKnown ? "known networks" : "strangers"} ask few providers that were slow, and as many of all others`, async () => {
    const { clock, come, answer } = createWorld();
    const crowd = addresses(10, (no) => `10.${no}.0.1`);
    const askSlow = async (): Promise<number> => {
      let all = 0;
      for (const no of [0, 1, 2, 3, 4, 5]) all += (await come(crowd, 2, { connector_id: `slow${no}`, isKnown }))[0];
      return all;
    };
    /** Lets them answer who are asked, and those that are asked then. */
    const endAll = async (): Promise<void> => {
      for (let no = 0; no < 8; no++) {
        await clock.advance(seconds(3));
        answer();
        await come([], 0);
      }
    };
    expect(await askSlow()).toBe(96);
    await endAll();
    expect(await askSlow()).toBe(24);
    const others = addresses(20, (no) => `20.${no}.0.1`);
    for (const connector_id of ["quick", "quicker", "quickest"])
      expect(await come(others, 1, { connector_id, isKnown })).toEqual([20, 0]);
    await endAll();
    await clock.advance(minutes(10));
    expect(await askSlow()).toBe(96);
  });

test("whoever knows many connectors has no more for that, and sites beside them have some beyond what their provider has", async () => {
  const { come } = createWorld();
  const connectors = addresses(60, (no) => `c${no}`);
  const total = { asked: 0, refused: 0 };
  for (const connector_id of connectors) {
    const [asked, refused] = await come(
      addresses(5, (no) => `2001:db8:1:${hex(no)}::1`),
      1,
      { connector_id },
    );
    total.asked += asked;
    total.refused += refused;
  }
  // Of a site twenty ask or wait.
  expect(total).toEqual({ asked: 20, refused: 60 * 5 - 20 });
  expect(
    (
      await come(
        addresses(100, (no) => `2001:db8:${hex(no + 2)}::1`),
        1,
        { connector_id: "mine" },
      )
    )[0],
  ).toBe(12);
  expect(await come(["2001:db8:ffff::1"], 4, { connector_id: "yours" })).toEqual([2, 2]);
  expect(await come(["192.0.2.1"], 4, { connector_id: "yours" })).toEqual([4, 0]);
});

test("what waited is asked once others are answered, and not for whoever left", async () => {
  const { come, answer } = createWorld();
  const left = new AbortController();
  expect(await come(["192.0.2.1"], 6)).toEqual([4, 0]);
  expect(await come(["192.0.2.1"], 1, { left: left.signal })).toEqual([0, 0]);
  left.abort();
  expect(await come([], 0)).toEqual([0, 1]);
  answer();
  expect(await come([], 0)).toEqual([2, 0]);
});
