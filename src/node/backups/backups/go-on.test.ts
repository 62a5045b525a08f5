import { afterEach, beforeEach, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { addTarget, backUp, get, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { serveEngine } from "../../../../tests/kit/serve-socket.ts";
import { until } from "../../../../tests/kit/until.ts";
import { minutes } from "../../../lib/duration.ts";
import { HALF, insertObjectRestore, insertRestore, listObjectRestores, listRestores, WHOLE } from "./store.ts";

const BY = { user_id: "usr_admin", ip: "127.0.0.1" };
const NOTHING = { remove_later: false, drives: [], drives_over: false };

let node: TestNode;
let server: { stop(now: boolean): unknown };
let target: { id: string; path: string };
/** Two backups with the bucket, the older one first. */
let first: string;
let second: string;

const begin = (kind: string, subject_id: string): string =>
  node.ctx.operations.begin({ kind, subject_id, title: "Put back", steps: [], by: BY }).id;

/** Writes down what a program leaves that ended while it put a bucket back. */
function leaveObjects(backup_id: string): string {
  const op_id = begin("backup.restore_objects", backup_id);
  const wish = JSON.stringify({ ...NOTHING, buckets: ["photos"] });
  insertObjectRestore(node.ctx.db, { op_id, backup_id, ...BY, wish });
  return op_id;
}
function leaveApp(backup_id: string, begun: number, app_id = "app_wiki"): string {
  const op_id = begin("backup.restore", backup_id);
  insertRestore(node.ctx.db, { op_id, app_id, backup_id, ...BY, source: null, begun });
  return op_id;
}
/** Takes a backup off the list, as what is removed from its target is. */
const forget = (id: string) => node.ctx.db.raw.query("UPDATE backups SET forgotten = 2 WHERE id = ?").run(id);
const end = (opId: string) =>
  until(() => {
    const operation = node.ctx.operations.get(opId);
    return operation.status === "running" ? null : operation;
  });
const isIdle = async () =>
  (await post(node, "/api/backups", { target: target.id, apps: [], include_config: false })).body.code ===
  "backup_empty";
async function goOn(): Promise<void> {
  await node.ctx.jobs.run("backups.go_on");
  await until(isIdle);
}
const removeTarget = (id: string) => node.call(`DELETE /api/backup/targets/${id}`, { as: "admin" });
const failures = () =>
  node.events.flatMap(({ name, data }) =>
    name === "operation.changed" && data instanceof Object && "error" in data && data.error ? [data] : [],
  );

beforeEach(async () => {
  const unix = join(makeScratch("go-on-engine"), "docker.sock");
  server = serveEngine(unix, async (_, path) => Response.json(path === "/volumes" ? { Volumes: [] } : []));
  node = createTestNode({ docker_socket: unix });
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
  await seedApp(node, "wiki");
  target = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  first = (await backUp(node, target.id)).id;
  second = (await backUp(node, target.id)).id;
});
afterEach(async () => {
  await node.ctx.objectStore.stop();
  node.close();
  server.stop(true);
});

test("buckets whose backup is gone end with that, and those behind them have their turn", async () => {
  const [lost, kept] = [leaveObjects(first), leaveObjects(second)];
  forget(first);
  await goOn();
  expect((await end(lost)).error).toEqual({
    code: "backup_missing",
    message: "The backup that this came from was removed before all of it was back.",
    next_step: "Choose another backup, and make a new one of what is there now.",
  });
  expect((await end(kept)).status).toBe("done");
  expect(listObjectRestores(node.ctx.db)).toEqual([]);
});

test("where the operation had said that they go on by themselves, another one says that they do not", async () => {
  const opId = leaveObjects(first);
  renameSync(target.path, `${target.path}.away`);
  await goOn();
  expect((await end(opId)).error?.message).toContain("What came back so far is whole.");
  renameSync(`${target.path}.away`, target.path);
  forget(first);
  await node.clock.advance(minutes(11));
  await goOn();
  expect(listObjectRestores(node.ctx.db)).toEqual([]);
  expect(failures().at(-1)).toMatchObject({
    ...{ kind: "backup.restore_objects", subject_id: first, title: "Put buckets and Drives back" },
    error: { code: "backup_missing" },
  });
});

test("an app that waits for a target keeps no buckets waiting that have theirs", async () => {
  const away = await addTarget(node, makeScratch("away"), { name: "away" });
  const { id } = await backUp(node, away.id);
  const [app, buckets] = [leaveApp(id, HALF), leaveObjects(second)];
  renameSync(away.path, `${away.path}.away`);
  await goOn();
  expect([(await end(app)).status, listRestores(node.ctx.db).length]).toEqual(["failed", 1]);
  expect((await end(buckets)).status).toBe("done");
});

test("an app whose backup is gone says so; one that has all its data and is only to be started is done", async () => {
  const lost = leaveApp(first, HALF);
  await seedApp(node, "notes");
  const whole = leaveApp(first, WHOLE, "app_notes");
  forget(first);
  await goOn();
  expect((await end(lost)).error).toMatchObject({
    code: "backup_missing",
    message: "The backup that this came from was removed before all of it was back.",
  });
  expect((await end(whole)).status).toBe("done");
  expect(listRestores(node.ctx.db).map(({ app_id }) => app_id)).toEqual(["app_wiki"]);
});

test("one that cannot even be read keeps no other waiting, and nothing is left without an end", async () => {
  const broken = leaveObjects(first);
  node.ctx.db.raw.query("UPDATE backup_object_restores SET wish = '{' WHERE op_id = ?").run(broken);
  const kept = leaveObjects(second);
  await goOn();
  expect([(await end(broken)).status, (await end(kept)).status]).toEqual(["failed", "done"]);
});

test("a backup that buckets still come from stays, whatever its plan keeps", async () => {
  const keep = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
  const PLAN = { name: "all", enabled: true, cron: "0 3 * * *", jitter_minutes: 0, apps: null, include_config: true };
  await post(node, "/api/backup/plans", { ...PLAN, target: target.id, keep });
  leaveObjects(first);
  await node.clock.advance(86_400_000);
  await node.ctx.jobs.run("backups.begin_due");
  await until(isIdle);
  const known: { id: string }[] = await get(node, "/api/backups");
  expect([known.length, known.some(({ id }) => id === first), known.some(({ id }) => id === second)]).toEqual([
    ...[2, true, false],
  ]);
});

test("what still comes from a target that is removed ends with words, in whichever operation can say them", async () => {
  const [opId, over] = [leaveObjects(first), leaveObjects(second)];
  node.ctx.operations.resume(over)?.fail({ code: "x", message: "x", next_step: "x" });
  expect((await removeTarget(target.id)).status).toBe(200);
  const error = {
    code: "backup_given_up",
    message: "Given up: its target disk was removed. What came back so far is whole.",
    next_step: "Add that target again, or put it back from another one.",
  };
  expect((await end(opId)).error).toEqual(error);
  expect(failures().at(-1)).toMatchObject({ subject_id: second, title: "Put buckets and Drives back", error });
  expect(listObjectRestores(node.ctx.db)).toEqual([]);
});
