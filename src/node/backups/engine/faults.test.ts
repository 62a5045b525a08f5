import { expect, test } from "bun:test";
import { FAULTS, faultyTarget } from "../../../../tests/kit/faulty-target.ts";
import { backUp, makeRandom, readAll, same, seedOf, streamsOf } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { prune } from "./prune.ts";
import { createRepository, openRepository } from "./repository.ts";
import { listSnapshots } from "./snapshot.ts";

/** More of them by hand: `BACKUP_KILLS=500`. */
const ROUNDS = Number(Bun.env["BACKUP_KILLS"] ?? 20);
const WEEK_MS = 8 * 86_400_000;
const WORKS = ["backup", "prune", "restore"] as const;

const pick = <Value>(random: () => number, from: readonly Value[]): Value | undefined =>
  from[Math.floor(random() * from.length)];

test("whatever happens to a question of a backup, a removal or a restore: what was reported is whole, and the next run goes on", async () => {
  const target = openLocalFolder(makeScratch("backup-faults"));
  const key = await createRepository(target, "KIT", null);
  const random = makeRandom(Number(Bun.env["TEST_SEED"] ?? 7));
  const reported = new Map<string, number>();
  const met: Record<string, number> = {};
  let now = WEEK_MS;
  const removeOldest = async (through: typeof target, also: string[] = []) => {
    const [oldest] = reported.keys();
    if (oldest === undefined) return;
    // What its removal has begun to take away is promised to nobody any more.
    reported.delete(oldest);
    const lease = await takeLease(through, "node", () => now);
    await prune(through, await openRepository(through, key, lease), lease, [oldest, ...also], now);
    await lease.release();
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    now += WEEK_MS;
    const fault = pick(random, FAULTS) ?? "network cut";
    const work = pick(random, WORKS) ?? "backup";
    // As clocks do that are set: back, or far ahead.
    const onJump = () => {
      now += random() < 0.5 ? -3_600_000 : 3 * WEEK_MS;
    };
    const at = Math.floor(random() * 14);
    const faulty = faultyTarget(target, { fault, at, many: pick(random, [1, 2, 1000]) ?? 1, onJump });
    const seed = round;
    const id = `bak_${seed}`;
    try {
      if (work === "backup") {
        await backUp(faulty.target, key, id, streamsOf(seed), now, "node");
        reported.set(id, seed);
      } else if (work === "prune") await removeOldest({ ...target, ...faulty.target });
      else for (const known of [...reported.keys()].slice(-1)) await readAll(faulty.target, key, known);
    } catch {
      met[`${work}, ${fault}`] = (met[`${work}, ${fault}`] ?? 0) + 1;
    }
    // Some of what failed is there all the same, and then it is whole.
    for (const found of await listSnapshots(target))
      expect([found, same(await readAll(target, key, found), streamsOf(seedOf(found)))]).toEqual([found, true]);
    for (const known of reported.keys()) expect(await listSnapshots(target)).toContain(known);
    await backUp(target, key, `bak_${seed}x`, streamsOf(seed), now, "node");
    reported.set(`bak_${seed}x`, seed);
    // What nobody was told of goes, too, so that there is never much to look at.
    const untold = (await listSnapshots(target)).filter((known) => !reported.has(known));
    if (reported.size > 3) await removeOldest(target, untold);
  }
  if (ROUNDS >= 500) process.stderr.write(`${JSON.stringify(met, null, 1)}\n`);
  expect(Object.keys(met).length).toBeGreaterThan(3);
}, 3_600_000);
