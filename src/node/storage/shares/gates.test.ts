import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { createGates, type Gates } from "./gates.ts";

const ipOf = (network: number): string => `10.${network >> 8}.${network & 255}.1`;

/** Gates, and whether a password may be tried, right or wrong. */
function openGates() {
  const clock = createFakeClock();
  const gates = createGates(clock);
  const tryIt = (id: string, maker: string, network: number, isRight = false): boolean => {
    try {
      const giveBack = gates.tryPassword({ id, user_id: maker }, ipOf(network));
      if (isRight) giveBack();
      return true;
    } catch {
      return false;
    }
  };
  return { clock, tryIt };
}

test("who guesses a link's password from many networks shuts out neither whoever had it right nor other links", () => {
  const { tryIt } = openGates();
  expect(tryIt("a", "maker", 1, true)).toBe(true);
  let tried = 0;
  for (let network = 100; network < 200; network += 1)
    for (let turn = 0; turn < 20; turn += 1) tried += +tryIt("a", "maker", network);
  expect(tried).toBe(50);
  expect([tryIt("a", "maker", 2), tryIt("a", "maker", 1), tryIt("b", "maker", 2)]).toEqual([false, true, true]);
  // A right password is no license to guess.
  for (let turn = 0; turn < 9; turn += 1) expect(tryIt("a", "maker", 1)).toBe(true);
  expect(tryIt("a", "maker", 1)).toBe(false);
});

test("who knows many links uses up neither what is for other makers nor the first tries of other networks", async () => {
  const { clock, tryIt } = openGates();
  let tried = 0;
  for (let turn = 0; turn < 1_000; turn += 1) tried += +tryIt(`link ${turn % 100}`, "maker", 100 + (turn % 100));
  expect(tried).toBe(150);
  expect(tryIt("other", "friend", 1)).toBe(true);
  for (let maker = 0; maker < 20; maker += 1)
    for (let turn = 0; turn < 150; turn += 1)
      tried += +tryIt(`${maker} ${turn % 50}`, `${maker}`, 300 + maker * 15 + (turn % 15));
  expect(tried).toBeLessThanOrEqual(600 + 3 * 20 * 15);
  expect([0, 1, 2, 3].map(() => tryIt("quiet", "quiet", 900))).toEqual([true, true, true, false]);
  await clock.advance(minutes(15));
  expect(tryIt("quiet", "quiet", 900)).toBe(true);
});

/** Puts a file in, or fails at that. */
const putIn = (put: ReturnType<Gates["upload"]>, isWell: boolean): Promise<void> =>
  put(async () => {
    if (!isWell) throw new Error("refused");
  });

/** How many chunks or files of a link get in that come one after another, from as many networks as they need. */
function openUploads() {
  const clock = createFakeClock();
  const gates = createGates(clock);
  let network = 1_000;
  async function send(kind: "chunk" | "file", link: string, maker: string, times: number, part: number | null = 1) {
    const share = { id: link, user_id: maker };
    let taken = 0;
    for (let turn = 0; turn < times; turn += 1) {
      if (turn % 400 === 0) network += 1;
      try {
        if (kind === "chunk") {
          const count = gates.chunk(share, ipOf(network), part ?? 1);
          if (part !== null) count();
        } else await putIn(gates.upload(share, ipOf(network)), part !== null);
        taken += 1;
      } catch {}
    }
    return taken;
  }
  return { clock, gates, send };
}

test.each(["chunk", "file"] as const)(
  "a %s that comes to nothing counts for the network alone that it came from",
  async (kind) => {
    const { gates, send } = openUploads();
    await send(kind, "a", "maker", 20_000, null);
    expect([await send(kind, "a", "maker", 1), await send(kind, "b", "other", 1)]).toEqual([1, 1]);
    const share = { id: "a", user_id: "maker" };
    const come = () => (kind === "chunk" ? gates.chunk(share, ipOf(1), 1) : gates.upload(share, ipOf(1)));
    for (let turn = 0; turn < (kind === "chunk" ? 4_000 : 500); turn += 1) come();
    expect(come).toThrow("Too many requests");
  },
);

test.each([
  { kind: "chunk", link: 8_000, maker: 12_000, all: 16_000, own: 2_000 },
  { kind: "file", link: 2_000, maker: 5_000, all: 10_000, own: 500 },
] as const)(
  "links of some accounts never use up every $kind of those of another",
  async ({ kind, link, maker, all, own }) => {
    const { clock, send } = openUploads();
    expect(await send(kind, "first", "m1", link + 10)).toBe(link);
    let taken: number = link;
    for (let no = 0; no < 4; no += 1) taken += await send(kind, `l${no}`, "m1", 3_000);
    expect(taken).toBe(maker);
    for (let no = 0; no < 10; no += 1) taken += await send(kind, `l${no}`, "m2", 1_200);
    expect(taken).toBeGreaterThanOrEqual(all);
    expect(await send(kind, "quiet", "m3", own + 10)).toBe(own);
    expect(await send(kind, "quiet", "m3", 1)).toBe(0);
    await clock.advance(minutes(60));
    expect(await send(kind, "quiet", "m3", own)).toBe(own);
  },
);

test("small chunks of a link use up little of what it may take, and what is used up comes back bit by bit", async () => {
  const { clock, send } = openUploads();
  expect(await send("chunk", "a", "maker", 8_000, 0.000_001)).toBe(8_000);
  expect(await send("chunk", "a", "maker", 7_010)).toBe(7_000);
  await clock.advance(10_000);
  expect(await send("chunk", "a", "maker", 30)).toBe(22);
});

test("who guesses addresses from many networks leaves others theirs", () => {
  const gates = createGates(createFakeClock());
  for (let turn = 0; turn < 1_100; turn += 1)
    try {
      gates.guess(ipOf(100 + (turn % 100)));
    } catch {}
  for (let turn = 0; turn < 3; turn += 1) gates.guess(ipOf(1));
  expect(() => gates.guess(ipOf(1))).toThrow("Too many requests");
});
