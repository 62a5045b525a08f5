import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { cpuBetween, createContainerMeters } from "./container-stats.ts";
import type { Needs } from "./needs.ts";

test("100 percent is one core, and counters that begin anew are no use below nothing", () => {
  const before = { cpu_ns: 1e9, at: 1000 };
  expect(cpuBetween(before, { cpu_ns: 2.5e9, at: 2000 })).toBe(150);
  expect(cpuBetween(before, { cpu_ns: 0, at: 2000 })).toBe(0);
  expect(cpuBetween(before, { cpu_ns: 2e9, at: 1000 })).toBe(0);
});

/** A host whose kernel counts these containers, and an engine that has them; its process ids follow from their place. */
function world(ids: string[]) {
  const root = makeScratch("container-stats");
  const clock = createFakeClock();
  const running = new Set(ids);
  let asked = 0;
  let atOnce = 0;
  let most = 0;
  const count = (id: string, usec: number, memory: number) => {
    const pid = ids.indexOf(id) + 100;
    const group = join(root, "sys/fs/cgroup", id);
    mkdirSync(join(root, "proc", `${pid}`, "net"), { recursive: true });
    mkdirSync(group, { recursive: true });
    writeFileSync(join(root, "proc", `${pid}`, "cgroup"), `0::/${id}\n`);
    writeFileSync(join(root, "proc", `${pid}`, "net/dev"), "Inter-|\n face |\n");
    writeFileSync(join(group, "cpu.stat"), `usage_usec ${usec}\n`);
    writeFileSync(join(group, "memory.current"), `${memory}\n`);
    writeFileSync(join(group, "memory.stat"), "inactive_file 1000\n");
    writeFileSync(join(group, "memory.max"), "max\n");
  };
  const engine = {
    listContainers: async () => ids.map((Id) => ({ Id, State: running.has(Id) ? "running" : "exited" })),
    async inspectContainer(id: string) {
      asked += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Bun.sleep(0);
      atOnce -= 1;
      return { State: { Pid: ids.indexOf(id) + 100 } };
    },
  };
  // Only what meters ask of the base is there.
  const needs = { clock, config: { host_root: root }, runtime: { requireEngine: () => engine } } as unknown as Needs;
  const meters = createContainerMeters(needs);
  /** Reads, while time passes. */
  async function read() {
    const answer = meters.read();
    let isOver = false;
    void answer.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await clock.advance(100);
      await Bun.sleep(0);
    }
    return answer;
  }
  return { clock, count, meters, read, running, asked: () => asked, most: () => most };
}

test("what runs is measured, what does not is left out, and the engine is asked once for each start", async () => {
  const { clock, count, meters, read, running, asked } = world(["a", "b"]);
  count("a", 1_000_000, 5_001_000);
  count("b", 0, 2_001_000);
  running.delete("b");
  expect(await read()).toEqual([{ id: "a", cpu_percent: 0, memory_bytes: 5_000_000, memory_limit_bytes: null }]);
  expect(asked()).toBe(1);
  await clock.advance(10_000);
  count("a", 2_000_000, 6_001_000);
  const [one] = await read();
  expect(one?.memory_bytes).toBe(6_000_000);
  expect(one?.cpu_percent).toBeGreaterThan(5);
  expect(one?.cpu_percent).toBeLessThan(11);
  expect(asked()).toBe(1);

  running.add("b");
  meters.watcher.event({ type: "container", action: "start", id: "a", attributes: {}, at: 0 }, undefined as never);
  await clock.advance(1_000);
  expect((await read()).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(asked()).toBe(3);
});

test("a hundred containers are asked about eight at a time, and callers at once share one measurement", async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `c${index}`);
  const { count, read, asked, most } = world(ids);
  for (const id of ids) count(id, 0, 1);
  const [first, second] = await Promise.all([read(), read()]);
  expect([first?.length, second?.length, asked(), most()]).toEqual([100, 100, 100, 8]);
});
