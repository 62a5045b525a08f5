import { expect, test } from "bun:test";
import { Socket } from "node:net";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createHandshakes } from "./handshakes.ts";

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

test("too many handshakes: new ones are refused, unless the oldest had its time", async () => {
  const clock = createFakeClock();
  const handshakes = createHandshakes(clock, 2);
  const [first, second, third, fourth] = [new Socket(), new Socket(), new Socket(), new Socket()];
  handshakes.begin(first);
  await clock.advance(6_000);
  handshakes.begin(second);
  handshakes.begin(third);
  expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([false, false, true]);
  await clock.advance(5_000);
  handshakes.begin(fourth);
  expect([first.destroyed, second.destroyed, fourth.destroyed]).toEqual([true, false, false]);
  expect(handshakes.count()).toBe(2);
  handshakes.end(second);
  expect(handshakes.count()).toBe(1);
  const gone = closed(fourth);
  fourth.destroy();
  await gone;
  expect(handshakes.count()).toBe(0);
});
