import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { addTarget, backUp, get, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

const told = async (node: TestNode): Promise<boolean> => (await get(node, "/api/backup/targets"))[0].own_disk;
const forget = (node: TestNode) => node.ctx.db.raw.run("UPDATE backup_targets SET own_disk = 1 - own_disk");

test("a folder on the disk of the data is told so, and looked at again with each backup and test", async () => {
  const node = createTestNode();
  const { id } = await addTarget(node, makeScratch("target"));
  expect(await told(node)).toBe(true);
  forget(node);
  expect(await told(node)).toBe(false);
  await backUp(node, id);
  expect(await told(node)).toBe(true);
  forget(node);
  const { ok, warnings } = (await post(node, `/api/backup/targets/${id}/test`)).body;
  expect([ok, warnings.join()]).toEqual([true, expect.stringContaining("the disk that is backed up")]);
  expect(await told(node)).toBe(true);
  node.close();
});

test("one on another disk is not", async () => {
  const node = createTestNode();
  const path = mkdtempSync("/var/tmp/orrery-target-");
  // Where scratch folders are no memory, both may be on one disk.
  const isSame = statSync(path).dev === statSync(node.dataDir).dev;
  const { id } = await addTarget(node, path);
  expect(await told(node)).toBe(isSame);
  forget(node);
  await backUp(node, id);
  expect(await told(node)).toBe(isSame);
  node.close();
  rmSync(path, { recursive: true, force: true });
});
