import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { computeHash, parallelHashes } from "./hashing.ts";

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [64, 2],
])("with %p cores %p hashes are computed at a time", (cores, hashes) => {
  expect(parallelHashes(cores)).toBe(hashes);
});

/** Scheduling classes of this process's threads: field 41 of their `stat`, the 39th after the name in brackets. */
function classesOfThreads(): number[] {
  return readdirSync("/proc/self/task").map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[38]);
  });
}

test("hashes are computed by threads that make room for everything else, and by no more than that", async () => {
  await Promise.all(Array.from({ length: 6 }, () => computeHash({ password: "correct horse", hash: null })));
  const SCHED_IDLE = 5;
  const count = classesOfThreads().filter((name) => name === SCHED_IDLE).length;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(2);
});

test("what is no hash is an error, and the next one is computed all the same", async () => {
  const failure = await computeHash({ password: "correct horse", hash: "$argon2id$broken" }).catch(String);
  expect(failure).toContain("assword");
  const made = await computeHash({ password: "correct horse", hash: null });
  expect(await computeHash({ password: "correct horse", hash: made.hash })).toEqual(made);
  expect((await computeHash({ password: "wrong horse", hash: made.hash })).matches).toBe(false);
});
