import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backUp, makeRandom, randomBytes, readAll, same } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { checkShare } from "./check-share.ts";
import { condemnDamaged, DAMAGED, readCondemned } from "./condemned.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { prune } from "./prune.ts";
import { createRepository, openRepository } from "./repository.ts";

const WEEK_MS = 8 * 86_400_000;

test("what is damaged is stored anew by the next backup while its source is there, and earlier backups are whole again", async () => {
  const root = makeScratch("heal");
  const target = openLocalFolder(root);
  const key = await createRepository(target, "KIT", null);
  const random = makeRandom(3);
  const kept = randomBytes(random, 900_000);
  const gone = randomBytes(random, 300_000);
  await backUp(target, key, "bak_1", [kept]);
  await backUp(target, key, "bak_2", [kept, gone]);
  const packs = await target.list("packs");
  for (const { name, size } of packs) {
    // One of a hundred bytes, none of them in the table at its end.
    const bytes = readFileSync(join(root, name));
    for (let at = 50; at < size - 2000; at += 100) bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(root, name), bytes);
  }
  const open = async (now: number) => {
    const lease = await takeLease(target, "node", () => now);
    return { lease, repository: await openRepository(target, key, lease) };
  };
  const first = await open(0);
  const found = await checkShare(target, first.repository, 0, 1);
  expect(found.damaged.length).toBe(packs.length);
  expect(found.affected).toEqual(["bak_1", "bak_2"]);
  await backUp(target, key, "bak_3", [kept], 0, "node");
  await expect(readAll(target, key, "bak_3")).rejects.toMatchObject({ code: "damaged" });
  await condemnDamaged(target, first.repository.keys.secret, first.repository.packs, found.damaged);
  await backUp(target, key, "bak_4", [kept], 0, "node");
  // Also what nobody stored after the damage; what has no source any more stays lost, and is told.
  for (const id of ["bak_1", "bak_3", "bak_4"]) expect(same(await readAll(target, key, id), [kept])).toBe(true);
  await expect(readAll(target, key, "bak_2")).rejects.toMatchObject({ code: "damaged" });
  const second = await open(WEEK_MS);
  await prune(target, second.repository, second.lease, [], WEEK_MS);
  const { keys, packs: known } = second.repository;
  expect([...(await readCondemned(target, keys.secret, known)).since]).toContain(DAMAGED);
  for (const id of ["bak_1", "bak_3", "bak_4"]) expect(same(await readAll(target, key, id), [kept])).toBe(true);
});
