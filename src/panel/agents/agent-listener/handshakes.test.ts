import { expect, test } from "bun:test";
import { Socket } from "node:net";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createHandshakes } from "./handshakes.ts";

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

test("too many handshakes: new ones are refused, unless the oldest had its time", async () => {
  const clock = createFakeClock();
  const handshakes = createHandshakes(clock, { max: 2, maxOfEach: 2, fairMs: 10_000 });
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

test("handshakes of one network leave room for those of others", () => {
  const from = (address: string) => Object.defineProperty(new Socket(), "remoteAddress", { value: address });
  const handshakes = createHandshakes(createFakeClock(), { max: 6, maxOfEach: 4, fairMs: 10_000 });
  const flood = Array.from({ length: 50 }, (_, index) => from(`2001:db8:0:1::${index.toString(16)}`));
  for (const socket of flood) handshakes.begin(socket);
  expect(flood.filter(({ destroyed }) => !destroyed)).toHaveLength(4);
  const others = ["::ffff:10.0.0.1", "10.0.0.1", "2001:db8:0:2::1"].map(from);
  for (const socket of others) handshakes.begin(socket);
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  expect(handshakes.count()).toBe(6);
});

test("a site with a network for each handshake makes room for those of others at once", () => {
  const from = (address: string) => Object.defineProperty(new Socket(), "remoteAddress", { value: address });
  const handshakes = createHandshakes(createFakeClock(), { max: 6, maxOfEach: 4, fairMs: 10_000 });
  const flood = Array.from({ length: 50 }, (_, index) => from(`2001:db8:0:${index.toString(16)}::1`));
  for (const socket of flood) handshakes.begin(socket);
  const others = ["::ffff:10.0.0.1", "2001:db9:0:2::1"].map(from);
  for (const socket of others) handshakes.begin(socket);
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  expect(handshakes.count()).toBe(6);
});
