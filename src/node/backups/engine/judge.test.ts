import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import { createJudge } from "./judge.ts";

/** What the system tells of a process; empty for one that has just ended. */
function readOf(process: string, file: string): string {
  try {
    return readFileSync(`/proc/${process}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** How nice each process is that judges for this one, and for how long it had a processor, in hundredths of a second. */
const judging = (): { nice: number; busy: number }[] =>
  readdirSync("/proc")
    .filter((name) => readOf(name, "cmdline").includes("judge-program"))
    .map((name) =>
      readOf(name, "stat")
        .replace(/^.*\) /, "")
        .split(" "),
    )
    .filter(([, parent]) => parent === String(process.pid))
    .map((fields) => ({ nice: Number(fields[16]), busy: Number(fields[11]) + Number(fields[12]) }));

test("databases are judged in one process; cut off, it ends at once, whatever SQLite is at", async () => {
  const folder = makeScratch("judge");
  const whole = join(folder, "whole.db");
  const slow = join(folder, "slow.db");
  for (const path of [whole, slow]) {
    const db = new Database(path);
    db.run("CREATE TABLE t (a)");
    db.run("CREATE INDEX i ON t (a) WHERE length(replace(hex(zeroblob(a * 00000001)), '0', '00')) > 0");
    db.run(
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT 1 FROM n",
    );
    db.close();
    // Behind the back of the index.
    if (path === slow) writeFileSync(path, readFileSync(path, "latin1").replace("00000001", "03000000"), "latin1");
  }
  const ending = new AbortController();
  const judge = createJudge("aside", ending.signal);
  for (const _ of [1, 2]) expect(await judge.judge({ path: whole, seconds: 60 })).toMatchObject({ damage: null });
  expect(judging()).toMatchObject([{ nice: 19 }]);
  const cut = judge.judge({ path: slow, seconds: 60 });
  const before = judging()[0]?.busy ?? 0;
  await until(() => judging().some(({ busy }) => busy > before + 10));
  ending.abort();
  await expect(cut).rejects.toThrow("abort");
  await until(() => judging().length === 0);
  await expect(judge.judge({ path: whole, seconds: 60 })).rejects.toThrow("abort");
  expect(judging()).toEqual([]);
});
