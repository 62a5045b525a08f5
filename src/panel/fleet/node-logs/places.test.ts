import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createChannel } from "../../../lib/channel.ts";
import type { LogMessage } from "./contract.ts";
import { createPlaces, whileHeld } from "./places.ts";

test("who came through the workspace's own sign-in takes none of the places of their account", () => {
  const places = createPlaces(createFakeClock());
  const account = { account_id: "a", tenant_id: "t", is_wsl: false };
  for (let no = 0; no < 10; no++) places.take({ ...account, is_wsl: true });
  expect(() => places.take({ ...account, is_wsl: true })).toThrow("by your account");
  expect(() => places.take(account)).not.toThrow();
});

test("a hundred accounts with all the streams that they may have keep nobody else out", async () => {
  const places = createPlaces(createFakeClock());
  const one = (no: number) => ({ account_id: `a${no}`, tenant_id: `t${no}`, is_wsl: false });
  const greedy = Array.from({ length: 1_000 }, (_, no) => places.take(one(no % 100)));
  const told: LogMessage[] = [];
  const line: LogMessage = { type: "batch", lines: [] };
  const last = greedy[999];
  if (!last) throw new Error("nobody came");
  const messages = createChannel<LogMessage>(10, last.lost);
  messages.push(line);
  async function follow(place: typeof last): Promise<void> {
    if (place) for await (const message of whileHeld(place, messages)) told.push(message);
  }
  const followed = follow(last);
  const others = Array.from({ length: 200 }, (_, no) => places.take(one(1_000 + no)));
  await expect(followed).rejects.toMatchObject({ code: "log_stream_gave_way" });
  expect(others.filter(({ lost }) => lost.aborted)).toEqual([]);
  expect(greedy.filter(({ lost }) => lost.aborted)).toHaveLength(200);
  // They come again, and find that others have no more than they.
  expect(() => places.take(one(99))).toThrow("1000 times on this panel");
});
