import { beforeEach, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { Value } from "@sinclair/typebox/value";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { seconds } from "../../../lib/duration.ts";
import type { RoleName } from "../../access.ts";
import type { ChangeSource } from "../../base.ts";
import { LiveChange } from "./contract.ts";
import { tellChanges } from "./tell.ts";

let clock: FakeClock;
let end: AbortController;
let tellOf: Map<string, () => void>;
/** When, in milliseconds, and of what. */
let told: [number, ...string[]][];
beforeEach(() => {
  clock = createFakeClock();
  end = new AbortController();
  tellOf = new Map();
  told = [];
});

const source = (topic: string, permission: ChangeSource["permission"] = null): ChangeSource => ({
  topic,
  permission,
  onChange(_, tell) {
    tellOf.set(topic, tell);
    return () => tellOf.delete(topic);
  },
});

async function listen(sources: ChangeSource[], role: RoleName = "org_owner"): Promise<{ over: Promise<void> }> {
  const began = clock.now();
  const actor = { role, is_staff: false, tenant_id: "t1", member_id: "m1" };
  const read = async (): Promise<void> => {
    for await (const { event, data } of tellChanges(sources, actor, clock, end.signal)) {
      expect(event).toBe("changed");
      told.push([clock.now() - began, ...Value.Parse(LiveChange, data).topics]);
    }
  };
  const over = read();
  await setImmediate();
  return { over };
}
const tell = (topic: string) => tellOf.get(topic)?.();

test("tells everything to begin with, then what changed, together and at most once a second", async () => {
  await listen([source("fleet"), source("notifications")]);
  expect(told).toEqual([[0, "fleet", "notifications"]]);
  for (let change = 0; change < 10; change++) {
    tell("fleet");
    await clock.advance(250);
  }
  tell("notifications");
  tell("fleet");
  await clock.advance(seconds(4));
  expect(told.map(([at]) => at)).toEqual([0, 1000, 2000, 3000]);
  expect(told.at(-1)).toEqual([3000, "fleet", "notifications"]);
});

test("tells nobody of what they may not see", async () => {
  await listen([source("fleet", "fleet:read"), source("notifications")], "org_teacher");
  expect(told).toEqual([[0, "notifications"]]);
  expect([...tellOf.keys()]).toEqual(["notifications"]);
});

test("ends with its signal, and listens no more", async () => {
  const { over } = await listen([source("fleet")]);
  end.abort();
  await over;
  expect(tellOf.size).toBe(0);
});
