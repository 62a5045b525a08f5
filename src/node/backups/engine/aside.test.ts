import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { startEngine } from "./index.ts";

const NICEST = 19;

/** What the system tells of a thread; null for one that has just ended. */
function readThread(thread: string): string | null {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
  } catch {
    return null;
  }
}

/** How nice each thread of this process is, by its number. */
const nices = (): Map<string, number> =>
  new Map(
    readdirSync("/proc/self/task").flatMap((thread): [string, number][] => {
      const stat = readThread(thread);
      return stat === null ? [] : [[thread, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])]];
    }),
  );

test("a thread whose work nobody waits for is the last that gets a processor; one for a restore is as any other", async () => {
  const place = { type: "local", path: makeScratch("aside") } as const;
  const usual = Number(nices().get(String(process.pid)));
  for (const [holder, urgency, nice] of [
    [{ id: "node", name: "atlas" }, "aside", NICEST],
    [null, "now", usual],
  ] as const) {
    const before = nices();
    const engine = startEngine();
    const key = holder === null ? await engine.unlock(place, "KIT") : await engine.create(place, "KIT", null);
    await engine.open(place, key, holder, urgency);
    const fresh = [...nices()].filter(([thread]) => !before.has(thread)).map(([, found]) => found);
    expect(fresh.filter((found) => found === NICEST).length).toBe(nice === NICEST ? 1 : 0);
    expect(nices().get(String(process.pid))).toBe(usual);
    await engine.close();
  }
});
