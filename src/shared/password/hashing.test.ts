import "../../../tests/kit/real-passwords.ts";
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { startThread } from "../../kernel/thread.ts";
import { FOR_PROGRAM } from "./hash-queue.ts";
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

/** This process's threads that come last: field 19 of their `stat`, the 17th after the name in brackets, is how nice they are. */
function niceThreads(): string[] {
  return readdirSync("/proc/self/task").filter((id) => {
    const path = `/proc/self/task/${id}/stat`;
    const stat = existsSync(path) ? readFileSync(path, "utf8") : "";
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16] === "19";
  });
}

test("the hashing thread is one of those that make room for everything else", async () => {
  const before = niceThreads();
  const thread = startThread<HashQuestion, HashAnswer>("shared/password/thread");
  // As cheap as can be: on a busy machine such a thread gets next to no time.
  const hash = Bun.password.hashSync("correct horse", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  expect(await thread.ask({ password: "correct horse", hash })).toEqual({ hash, matches: true });
  expect(await thread.ask({ password: "wrong horse", hash })).toEqual({ hash, matches: false });
  // A thread that the runtime begins for it, such as one that compiles, comes last too.
  expect(niceThreads().filter((id) => !before.includes(id))).not.toBeEmpty();
  thread.end();
});

test("what is no hash is an error, and the next one is computed all the same", async () => {
  const failure = await computeHash({ password: "correct horse", hash: "$argon2id$broken" }, FOR_PROGRAM).catch(String);
  expect(failure).toContain("assword");
  const made = await computeHash({ password: "correct horse", hash: null }, FOR_PROGRAM);
  expect(await computeHash({ password: "correct horse", hash: made.hash }, FOR_PROGRAM)).toEqual(made);
  expect((await computeHash({ password: "wrong horse", hash: made.hash }, FOR_PROGRAM)).matches).toBe(false);
});
