import { expect, test } from "bun:test";
import { join } from "node:path";
import { addTarget, backUp, post, untilOver } from "../../../../tests/kit/backup-calls.ts";
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
    new Promise<null>((resolve) =>
      signal.addEventListener("abort", () => {
        happened.push("ended");
        resolve(null);
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
