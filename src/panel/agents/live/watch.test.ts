import { expect, test } from "bun:test";
import fc from "fast-check";
import { heartbeatBody } from "../../../../tests/kit/agent-panel.ts";
import { createMemoryLive } from "../../../../tests/kit/memory-live.ts";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { LiveTables } from "./journal-store.ts";

/** By hand: WATCH_RUNS=5000 bun test src/panel/agents/live/watch.test.ts */
const RUNS = Number(Bun.env["WATCH_RUNS"] ?? 200);
const START = Date.UTC(2026, 0, 1);

/** A clock whose wall can be set apart from the time that passes; ticks of a second are run by `pass`. */
function createSecondClock() {
  let now = 0;
  let wall = START;
  const ticks: (() => void)[] = [];
  const clock: Clock = {
    now: () => wall + now,
    monotonic: () => now,
    sleep: async () => {},
    after: () => () => {},
    every(ms, run) {
      if (ms === seconds(1)) ticks.push(run);
      return () => {};
    },
  };
  return {
    clock,
    set(ms: number) {
      wall += ms;
    },
    /** The program stands still. */
    freeze(ms: number) {
      now += ms;
    },
    async pass(ms: number) {
      const end = now + ms;
      while (Math.floor(now / 1_000) < Math.floor(end / 1_000)) {
        now = (Math.floor(now / 1_000) + 1) * 1_000;
        for (const tick of ticks) tick();
        for (let turn = 0; turn < 6; turn++) await Promise.resolve();
      }
      now = end;
    },
  };
}

const beatOf = (no: number) => ({ ...heartbeatBody(), status: "ok" as const, hostname: `host-${no}` });
const identity = (no: number) => ({ nodeId: `node-${no}`, tenantId: "t1", serial: "s" });

async function startFleet(tables: Partial<LiveTables> = {}) {
  const time = createSecondClock();
  const live = createMemoryLive(time.clock, tables);
  const changes: string[] = [];
  live.onChange("t1", (change) => {
    if (change.kind === "status")
      changes.push(`${(change.transition.at - START) / 1_000} ${change.transition.no} ${change.transition.to}`);
  });
  await live.start();
  return {
    ...time,
    live,
    changes,
    fleet: live.of("t1"),
    beat: (no: number) => live.heartbeat(beatOf(no), identity(no)),
  };
}

test("finds exactly the silences that a look at every node every second finds", async () => {
  // Whole seconds, so that both look at the same moments.
  const far = fc.integer({ min: 7, max: 7_200 }).chain((sec) => fc.constantFrom(sec * 1_000, -sec * 1_000));
  const move = fc.oneof(
    { weight: 4, arbitrary: fc.record({ beat: fc.nat(4) }) },
    { weight: 4, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 100_000 }) }) },
    { weight: 1, arbitrary: fc.record({ wait: fc.constant(700_000) }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat(4) }) },
    // Less is no more than a slow second.
    { weight: 1, arbitrary: fc.record({ set: far }) },
    { weight: 1, arbitrary: fc.record({ freeze: fc.integer({ min: 7_000, max: 7_200_000 }) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 30, size: "max" }), async (moves) => {
      const { clock, live, fleet, changes, pass, beat, set, freeze } = await startFleet();
      const model = new Map<number, { seen: number; status: string }>();
      const expected: string[] = [];
      let listeningSince = START;
      // Until the next look nobody has noticed.
      let isExcusedNext = false;
      const record = (no: number, status: string) => {
        const node = model.get(no);
        if (!node || node.status === status) return;
        node.status = status;
        expected.push(`${(clock.now() - START) / 1_000} ${no} ${status}`);
      };
      const statusOf = ({ seen, status }: { seen: number; status: string }) => {
        const silence = clock.now() - Math.max(seen, listeningSince);
        if (silence > 600_000 || status === "offline") return "offline";
        return silence > 90_000 || status === "degraded" ? "degraded" : "online";
      };
      const lookAtAll = () => {
        if (isExcusedNext) {
          listeningSince = clock.now();
          for (const node of model.values()) node.seen = Math.min(node.seen, listeningSince);
        }
        isExcusedNext = false;
        for (const [no, node] of model) record(no, statusOf(node));
      };
      for (const each of moves) {
        if ("wait" in each) {
          for (let left = each.wait; left > 0; ) {
            const part = Math.min(1_000 - (clock.monotonic() % 1_000), left);
            await pass(part);
            left -= part;
            if (clock.monotonic() % 1_000 === 0) lookAtAll();
          }
        } else if ("set" in each) {
          if (isExcusedNext) continue;
          set(each.set);
          isExcusedNext = true;
        } else if ("freeze" in each) {
          freeze(each.freeze);
          isExcusedNext = true;
        } else if ("beat" in each) {
          if (!fleet.get(`node-${each.beat}`)) live.put(nodeFacts(each.beat));
          if (!model.has(each.beat)) model.set(each.beat, { seen: 0, status: "pending" });
          await beat(each.beat);
          model.set(each.beat, { seen: clock.now(), status: model.get(each.beat)?.status ?? "pending" });
          record(each.beat, "online");
        } else {
          live.remove(`node-${each.remove}`);
          model.delete(each.remove);
        }
        if (isExcusedNext) continue;
        for (const [no, node] of model) expect<string>(fleet.verdict(no).status).toBe(statusOf(node));
      }
      expect(changes.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ["the clock is set on", (fleet: Awaited<ReturnType<typeof startFleet>>) => fleet.set(minutes(60))],
  ["the clock is set back", (fleet: Awaited<ReturnType<typeof startFleet>>) => fleet.set(-minutes(60))],
  ["the program stands still", (fleet: Awaited<ReturnType<typeof startFleet>>) => fleet.freeze(minutes(60))],
])("nobody is late because %s", async (_, step) => {
  const fleet = await startFleet();
  for (const no of [1, 2]) fleet.live.put(nodeFacts(no));
  for (const no of [1, 2]) await fleet.beat(no);
  fleet.changes.length = 0;
  await fleet.pass(seconds(30));
  step(fleet);
  await fleet.pass(seconds(80));
  await fleet.beat(1);
  expect(fleet.fleet.verdict(2).status).toBe("online");
  await fleet.pass(seconds(30));
  expect(fleet.changes.map((change) => change.split(" ").slice(1).join(" "))).toEqual(["2 degraded"]);
  await fleet.pass(minutes(10));
  expect(fleet.fleet.verdict(2).status).toBe("offline");
});

test("what cannot be written is not true, not acknowledged, and tried again", async () => {
  let isBroken = true;
  const written: unknown[] = [];
  const fleet = await startFleet({
    async write(entries) {
      if (isBroken) throw new Error("the disk is full");
      written.push(...entries);
    },
  });
  fleet.live.put(nodeFacts(1));
  expect(await fleet.beat(1).catch(String)).toContain("the disk is full");
  expect(fleet.fleet.get("node-1")?.first_seen_at).toBeNull();
  expect(fleet.changes).toEqual([]);
  isBroken = false;
  await fleet.beat(1);
  expect([fleet.changes.length, written.length]).toEqual([1, 1]);
  isBroken = true;
  await fleet.pass(seconds(95));
  expect(fleet.changes.length).toBe(1);
  isBroken = false;
  await fleet.pass(seconds(2));
  expect(fleet.changes.at(-1)).toEndWith("1 degraded");
});

test("one node's trouble does not keep the others from being written", async () => {
  const fleet = await startFleet({
    async write(entries) {
      if (entries.some(({ node }) => node.no === 2)) throw new Error("no such text");
    },
  });
  for (const no of [1, 2, 3]) fleet.live.put(nodeFacts(no));
  const answers = await Promise.all([1, 2, 3].map((no) => fleet.beat(no).then(() => "ok", String)));
  expect(answers).toEqual(["ok", "Error: no such text", "ok"]);
});

test("heartbeats of one node at once are recorded one after another", async () => {
  const entries: number[] = [];
  const fleet = await startFleet({
    async write(batch) {
      const numbers = batch.map(({ node }) => node.no);
      expect(new Set(numbers).size).toBe(numbers.length);
      entries.push(...numbers);
      await Bun.sleep(1);
    },
  });
  fleet.live.put(nodeFacts(1));
  const change = (version: string) => fleet.live.heartbeat({ ...beatOf(1), version }, identity(1));
  let told = 0;
  fleet.live.onChange("t1", ({ kind }) => {
    if (kind === "status") told += 1;
  });
  await Promise.all(["1", "2", "3", "4"].map(change));
  expect([entries.length, told]).toEqual([4, 1]);
  expect(fleet.fleet.get("node-1")?.version).toBe("4");
});
