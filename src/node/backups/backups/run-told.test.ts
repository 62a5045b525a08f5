import { expect, test } from "bun:test";
import { join } from "node:path";
import { addTarget, backUp, post, untilOver } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { serveEngine } from "../../../../tests/kit/serve-socket.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { Failure } from "./failures.ts";
import { runTold } from "./run-backup.ts";

test("work that throws ends its operation all the same, and the next one may begin", async () => {
  const own = { work: { current: null }, log: { error: () => {} } };
  const told: (Failure | null)[] = [];
  const op = { done: () => void told.push(null), fail: (failure: Failure) => void told.push(failure) };
  for (const task of [() => Promise.reject(new Error("it broke")), () => Promise.resolve(null)]) {
    runTold(own, op, task);
    await own.work.current;
  }
  expect(told).toEqual([expect.objectContaining({ code: "backup_failed", message: "it broke" }), null]);
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
