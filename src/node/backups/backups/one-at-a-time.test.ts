import { expect, test } from "bun:test";
import { join } from "node:path";
import { addTarget, backUp, get, post, untilOver } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { serveEngine } from "../../../../tests/kit/serve-socket.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import { type Aside, assertFree, runAlone, runAside, runTold } from "./one-at-a-time.ts";

const createOwn = (): Pick<Own, "work"> & { log: Pick<Own["log"], "error"> } => ({
  work: { current: null, giveWay: null },
  log: { error: () => {} },
});

function listen() {
  const told: (Failure | null)[] = [];
  return { told, op: { done: () => void told.push(null), fail: (failure: Failure) => void told.push(failure) } };
}

test("work that throws ends its operation all the same, and the next one may begin", async () => {
  const own = createOwn();
  const { told, op } = listen();
  for (const task of [() => Promise.reject(new Error("it broke")), () => Promise.resolve(null)]) {
    runTold(own, op, task);
    await own.work.current;
  }
  expect(told).toEqual([expect.objectContaining({ code: "backup_failed", message: "it broke" }), null]);
});

test("what nobody ordered ends before what somebody ordered begins, is tried later, and is no damage", async () => {
  const own = createOwn();
  const { told, op } = listen();
  const happened: string[] = [];
  const task = ({ signal }: Aside) =>
    new Promise<Failure>((resolve) =>
      signal.addEventListener("abort", () => {
        happened.push("ended");
        resolve({ code: "backup_failed", message: "the thread was ended", next_step: "" });
      }),
    );
  runAside(own, op, { task, later: () => void happened.push("later") });
  runAlone(own, async () => void happened.push("ordered"));
  expect(() => assertFree(own)).toThrow("under way");
  await own.work.current;
  expect(happened).toEqual(["ended", "later", "ordered"]);
  expect(told).toEqual([expect.objectContaining({ code: "backup_gave_way" })]);
  expect(own.work).toEqual({ current: null, giveWay: null });
});

test("what was through all the same when it was to give way has gone well", async () => {
  const own = createOwn();
  const { told, op } = listen();
  const through = Promise.withResolvers<null>();
  runAside(own, op, { task: () => through.promise, later: () => told.push(null) });
  runAlone(own, async () => {});
  through.resolve(null);
  await own.work.current;
  expect(told).toEqual([null]);
});

test("from where it stays it gives way to nothing, and when it is through nothing is left of it", async () => {
  const own = createOwn();
  const { told, op } = listen();
  const through = Promise.withResolvers<null>();
  const task = ({ stay }: Aside) => {
    queueMicrotask(stay);
    return through.promise;
  };
  runAside(own, op, { task, later: () => told.push(null) });
  await Promise.resolve();
  expect(() => runAlone(own, async () => {})).toThrow("under way");
  through.resolve(null);
  await own.work.current;
  expect([told, own.work]).toEqual([[null], { current: null, giveWay: null }]);
});

test("a backup that somebody orders ends the drill that began by itself, which begins anew and proves what it was to prove", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  const first = await backUp(node, target);
  const drills = async () =>
    (await get(node, "/api/operations")).filter(({ kind }: { kind: string }) => kind === "backup.verify");
  await node.ctx.jobs.run("backups.begin_due");
  const [drill] = await drills();
  expect([drill.subject_id, drill.status]).toEqual([first.id, "running"]);
  const second = await backUp(node, target);
  expect([second.status, second.verified_at]).toEqual(["completed", null]);
  expect((await get(node, `/api/operations/${drill.id}`)).error.code).toBe("backup_gave_way");
  await node.ctx.jobs.run("backups.begin_due");
  const again = (await drills()).find(({ status }: { status: string }) => status === "running");
  expect(await untilOver(node, again.id)).toBe("done");
  expect((await get(node, "/api/backups")).map(({ damage }: { damage: string | null }) => damage)).toEqual([
    null,
    null,
  ]);
  await node.ctx.objectStore.stop();
  node.close();
});

test("reading a backup back that somebody ordered can be cancelled, which says nothing of the backup", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  const { id } = await backUp(node, target);
  const { body } = await post(node, `/api/backups/${id}/verify`);
  const cancelled = await post(node, `/api/backups/${id}/cancel`);
  expect([cancelled.status, cancelled.body.message]).toEqual([
    200,
    "It is read no further. The backup stays as it is.",
  ]);
  expect(await untilOver(node, body.op_id)).toBe("failed");
  const { code, message } = (await get(node, `/api/operations/${body.op_id}`)).error;
  expect(code).toBe("backup_cancelled");
  expect(message).toBe("It was cancelled by admin. What was read says nothing of the rest.");
  const [backup] = await get(node, "/api/backups");
  expect([backup.status, backup.damage, backup.verified_at]).toEqual(["completed", null, null]);
  expect((await post(node, `/api/backups/${id}/cancel`)).body.code).toBe("backup_not_running");
  const again = await post(node, `/api/backups/${id}/verify`);
  expect(await untilOver(node, again.body.op_id)).toBe("done");
  expect((await post(node, `/api/backups/${id}/cancel`)).body.code).toBe("backup_not_running");
  await node.ctx.objectStore.stop();
  node.close();
});

test("a drill goes on where its app is uninstalled before it is tried", async () => {
  const unix = join(makeScratch("drill-engine"), "docker.sock");
  const server = serveEngine(unix, async () => Response.json([]));
  const node = createTestNode({ docker_socket: unix });
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
  await seedApp(node, "wiki");
  const { id } = await backUp(node, (await addTarget(node)).id);
  node.ctx.db.raw.query("UPDATE backups SET apps = '[\"app_wiki\"]' WHERE id = ?").run(id);
  const { body } = await post(node, `/api/backups/${id}/verify`);
  node.ctx.db.raw.query("DELETE FROM apps WHERE id = 'app_wiki'").run();
  expect(await untilOver(node, body.op_id)).toBe("done");
  await node.ctx.objectStore.stop();
  node.close();
  server.stop(true);
});
