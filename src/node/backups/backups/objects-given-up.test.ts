import { expect, test } from "bun:test";
import { addTarget, backUp, get, post, untilOver } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { giveUpOlder, leaveOf, type ObjectsWish } from "./objects-given-up.ts";
import { insertObjectRestore, listObjectRestores } from "./store.ts";

const NOTHING = { buckets: [], remove_later: false, drives: [], drives_over: false };
const wish = (more: Partial<ObjectsWish>): ObjectsWish => ({ ...NOTHING, user_id: "usr_a", ...more });
const over = (more: Partial<ObjectsWish>) => wish({ drives_over: true, ...more });

/** An order that waits, whose operation goes on. */
function waiting(node: TestNode, backup_id: string, more: Partial<ObjectsWish>): string {
  const { id } = node.ctx.operations.begin({
    ...{ kind: "backup.restore_objects", subject_id: backup_id, title: "Put back", steps: [], by: null },
  });
  const { user_id, ...rest } = wish({ user_id: "usr_admin", ...more });
  insertObjectRestore(node.ctx.db, { op_id: id, backup_id, user_id, ip: "", wish: JSON.stringify(rest) });
  return id;
}

test("of an older order stays what a newer one does not write", () => {
  const older = wish({ buckets: ["a", "b"] });
  expect(leaveOf(older, wish({ buckets: ["b", "c"] }))).toMatchObject({ buckets: ["a"] });
  expect(leaveOf(older, wish({ buckets: ["a", "b"] }))).toBe(null);
  expect(leaveOf(over({ drives: ["usr_a", "usr_b"] }), over({ drives: ["usr_a"] }))).toMatchObject({
    drives: ["usr_b"],
  });
  const aside = wish({ drives: ["usr_a"] });
  expect(leaveOf(aside, over({ drives: ["usr_a"] }))).toMatchObject({ drives: ["usr_a"] });
  expect(leaveOf(over({ drives: ["usr_a"] }), aside)).toMatchObject({ drives: ["usr_a"] });
  const file = over({ drive_node: "nod_1" });
  expect(leaveOf(file, over({ drives: ["usr_a"] }))).toBe(null);
  expect(leaveOf(file, over({ drive_node: "nod_1" }))).toBe(null);
  expect(leaveOf(file, over({ drive_node: "nod_2" }))).toMatchObject({ drive_node: "nod_1" });
  expect(leaveOf(file, over({ drive_node: "nod_1", user_id: "usr_b" }))).toMatchObject({ drive_node: "nod_1" });
});

test("buckets that wait are given up for the same ones of a newer order, and nothing else of theirs", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  for (const name of ["photos", "letters"]) await post(node, "/api/objects/buckets", { name });
  const old = await backUp(node, target);
  const elsewhere = (await addTarget(node, makeScratch("fresh"), { name: "fresh" })).id;
  const fresh = await backUp(node, elsewhere);
  const [gone, less] = [
    waiting(node, old.id, { buckets: ["photos"] }),
    waiting(node, old.id, { buckets: ["photos", "letters"] }),
  ];
  const path = `/api/backups/${fresh.id}/objects/restore`;
  const { body } = await post(node, path, { ...NOTHING, buckets: ["photos"] });
  expect(await untilOver(node, body.op_id)).toBe("done");
  const { status, error } = node.ctx.operations.get(gone);
  expect([status, error?.code, error?.message]).toEqual([
    ...["failed", "backup_given_up"],
    expect.stringMatching(/^Given up: the same buckets or Drives are put back from the backup of .* instead/),
  ]);
  const left = listObjectRestores(node.ctx.db).map(({ op_id, wish: text }) => [op_id, JSON.parse(text).buckets]);
  expect(left).toEqual([[less, ["letters"]]]);
  waiting(node, old.id, { drives: ["usr_admin"], drives_over: true });
  const part = { ...NOTHING, drive_node: "nod_1", drives_over: true };
  expect(["backup_restore_waits", "backup_drive_not_in"]).toContain((await post(node, path, part)).body.code);
  // It is given up with the target that it would come from.
  expect((await node.call(`DELETE /api/backup/targets/${target}`, { as: "admin" })).status).toBe(200);
  expect([node.ctx.operations.get(less).error?.message, listObjectRestores(node.ctx.db)]).toEqual([
    ...["Given up: its target disk was removed. What came back so far is whole.", []],
  ]);
  await node.ctx.objectStore.stop();
  node.close();
});

test("an order that waits gives up nothing before it begins, and an older one nothing of a newer", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  const old = await backUp(node, target);
  const ids = () => listObjectRestores(node.ctx.db).map(({ op_id }) => op_id);
  const [first, second] = [
    waiting(node, old.id, { buckets: ["photos"] }),
    waiting(node, old.id, { buckets: ["photos"] }),
  ];
  giveUpOlder(node.ctx, first);
  expect(ids()).toEqual([first, second]);
  giveUpOlder(node.ctx, second);
  expect(ids()).toEqual([second]);
  await node.ctx.objectStore.stop();
  node.close();
});

test("a backup from which buckets are still to come is not forgotten", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  const keep = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
  const old = await backUp(node, target);
  waiting(node, old.id, { buckets: ["photos"] });
  const PLAN = { name: "all", enabled: true, cron: "0 3 * * *", jitter_minutes: 0, apps: null, include_config: true };
  await post(node, "/api/backup/plans", { ...PLAN, target, keep });
  for (const _ of [1, 2]) {
    await node.clock.advance(86_400_000);
    await node.ctx.jobs.run("backups.begin_due");
    const [{ op_id }] = await get(node, "/api/backups");
    await untilOver(node, op_id);
  }
  const known = (await get(node, "/api/backups")).map(({ id }: { id: string }) => id);
  expect([known.length, known.includes(old.id)]).toEqual([2, true]);
  await node.ctx.objectStore.stop();
  node.close();
});
