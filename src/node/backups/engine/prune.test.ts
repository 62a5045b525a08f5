import { expect, test } from "bun:test";
import { backUp, failing, makeRandom, randomBytes, readAll, same } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { days } from "../../../lib/duration.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { prune } from "./prune.ts";
import { createRepository, openRepository } from "./repository.ts";
import { listSnapshots } from "./snapshot.ts";
import type { Target } from "./target.ts";

const WEEK = days(8);

async function tidy(target: Target, key: Uint8Array, forgotten: string[], now: number) {
  const lease = await takeLease(target, "tidy", () => now);
  const repository = await openRepository(target, key, lease);
  const pruned = await prune(target, repository, lease, forgotten, now);
  await lease.release();
  return pruned;
}

const sizeOf = async (target: Target) => (await target.list("packs")).reduce((sum, { size }) => sum + size, 0);

async function makeRepository(name: string) {
  const target = openLocalFolder(makeScratch(name));
  return { target, key: await createRepository(target, "KIT", null) };
}

test("what nothing needs goes after a week, and only that; a mark alone removes nothing", async () => {
  const { target, key } = await makeRepository("prune");
  const random = makeRandom(3);
  const [shared, old, fresh] = [
    randomBytes(random, 900_000),
    randomBytes(random, 900_000),
    randomBytes(random, 50_000),
  ];
  await backUp(target, key, "bak_1", [old], 0);
  await backUp(target, key, "bak_2", [shared], 0);
  await backUp(target, key, "bak_3", [shared, fresh], 0);
  const full = await sizeOf(target);
  expect(await tidy(target, key, ["bak_1"], 1000)).toEqual({ removed_packs: 0, removed_bytes: 0 });
  expect(await listSnapshots(target)).toEqual(["bak_2", "bak_3"]);
  expect(await tidy(target, key, [], 1000 + days(6))).toMatchObject({ removed_packs: 0 });

  // What comes back meanwhile is stored anew: nothing new relies on what is about to go.
  expect(await backUp(target, key, "bak_4", [old], days(6) + 2000)).toBeGreaterThan(800_000);
  expect(await tidy(target, key, [], 1000 + WEEK)).toMatchObject({ removed_packs: 1 });
  expect(await sizeOf(target)).toBeLessThan(full * 1.1);
  expect(same(await readAll(target, key, "bak_2"), [shared])).toBe(true);
  expect(same(await readAll(target, key, "bak_3"), [shared, fresh])).toBe(true);
  expect(same(await readAll(target, key, "bak_4"), [old])).toBe(true);
  expect((await target.list("condemned")).length).toBe(1);
  expect((await target.list("leases")).length).toBe(1);
});

test("packs of which little is needed are gathered, and the rest goes", async () => {
  const { target, key } = await makeRepository("gather");
  const random = makeRandom(4);
  const kept: Uint8Array[] = [];
  for (let index = 0; index < 3; index++) {
    const small = randomBytes(random, 30_000);
    kept.push(small);
    await backUp(target, key, `bak_big${index}`, [small, randomBytes(random, 1_500_000)], 0);
  }
  await backUp(target, key, "bak_small", kept, 0);
  await tidy(target, key, ["bak_big0", "bak_big1", "bak_big2"], 1000);
  await tidy(target, key, [], 1000 + WEEK);
  expect(await sizeOf(target)).toBeLessThan(200_000);
  expect(same(await readAll(target, key, "bak_small"), kept)).toBe(true);
});

test("where a backup cannot be read nothing goes", async () => {
  const { target, key } = await makeRepository("unsure");
  await backUp(target, key, "bak_1", [randomBytes(makeRandom(8), 5000)], 0);
  await target.write("snapshots/bak_2", Buffer.from("nonsense"));
  const before = await target.list("packs");
  await expect(tidy(target, key, [], 1000)).rejects.toMatchObject({ code: "damaged" });
  expect(await target.list("packs")).toEqual(before);
});

test("cut off at any question, whatever was not to go stays readable, and the next one tidies up", async () => {
  const random = makeRandom(9);
  const streams = [randomBytes(random, 40_000)];
  let wasCut = true;
  for (let count = 0; wasCut; count++) {
    const { target, key } = await makeRepository("cut");
    await backUp(target, key, "bak_keep", streams, 0);
    await backUp(target, key, "bak_gone", [randomBytes(random, 20_000)], 0);
    await backUp(target, key, "bak_next", [randomBytes(random, 20_000)], 0);
    await tidy(target, key, ["bak_gone"], 1000);
    wasCut = await tidy(failing(target, count), key, ["bak_next"], 1000 + WEEK).then(
      () => false,
      () => true,
    );
    for (const known of await listSnapshots(target)) expect((await readAll(target, key, known)).length).toBe(1);
    expect(same(await readAll(target, key, "bak_keep"), streams)).toBe(true);
    await tidy(target, key, ["bak_next"], 1000 + 2 * WEEK);
    await tidy(target, key, [], 1000 + 3 * WEEK);
    expect(await listSnapshots(target)).toEqual(["bak_keep"]);
    expect((await target.list("packs")).length).toBe(1);
    expect(same(await readAll(target, key, "bak_keep"), streams)).toBe(true);
    expect(count).toBeLessThan(100);
  }
});
