import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { createGates } from "./gates.ts";

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
