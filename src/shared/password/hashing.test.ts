import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { startThread } from "../../kernel/thread.ts";
import { computeHash, parallelHashes } from "./hashing.ts";
import type { HashAnswer, HashQuestion } from "./messages.ts";

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

test("the hashing thread is one of those that make room for everything else", async () => {
  const SCHED_IDLE = 5;
  const idleThreads = () => classesOfThreads().filter((name) => name === SCHED_IDLE).length;
  const before = idleThreads();
  const thread = startThread<HashQuestion, HashAnswer>("shared/password/thread");
  const { hash } = await thread.ask({ password: "correct horse", hash: null });
  expect(idleThreads()).toBe(before + 1);
  expect(await thread.ask({ password: "wrong horse", hash })).toEqual({ hash, matches: false });
  thread.end();
}, 30_000);

test("what is no hash is an error, and the next one is computed all the same", async () => {
  const failure = await computeHash({ password: "correct horse", hash: "$argon2id$broken" }).catch(String);
  expect(failure).toContain("assword");
  const made = await computeHash({ password: "correct horse", hash: null });
  expect(await computeHash({ password: "correct horse", hash: made.hash })).toEqual(made);
  expect((await computeHash({ password: "wrong horse", hash: made.hash })).matches).toBe(false);
});
