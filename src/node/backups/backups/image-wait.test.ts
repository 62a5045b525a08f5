import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { addTarget, get, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { serveEngine } from "../../../../tests/kit/serve-socket.ts";
import { until } from "../../../../tests/kit/until.ts";

let node: TestNode;
let server: { stop(now: boolean): unknown };
let pulls: number;

/** An engine that has the volume of `photos` and no image, and whose pulls send nothing. */
function answer(_: Request, path: string): Response {
  if (path === "/volumes") {
    const names = node.ctx.apps.volumesOf("app_photos").map(({ source }) => source);
    return Response.json({ Volumes: names.map((Name) => ({ Name, Driver: "nfs", Mountpoint: "", Labels: {} })) });
  }
  if (path === "/images/create") {
    pulls += 1;
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue("\n") }));
  }
  if (path.startsWith("/images/")) return Response.json({ message: "no such image" }, { status: 404 });
  return Response.json([]);
}

beforeEach(async () => {
  pulls = 0;
  const unix = join(makeScratch("waiting-engine"), "docker.sock");
  server = serveEngine(unix, answer);
  node = createTestNode({ docker_socket: unix });
  const { manifest } = await node.ctx.templates.load("whoami");
  const volumes = [{ name: "data", description: "What it has", backup: true }];
  await seedApp(node, "photos", {
    manifest: JSON.stringify({ ...manifest, volumes, backup: { consistency: "live" } }),
  });
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
});
afterEach(() => {
  node.close();
  server.stop(true);
});

test("a backup that waits for an image says for which, and ends with its cancel, whatever the registry sends", async () => {
  const { id: target } = await addTarget(node);
  const { body } = await post(node, "/api/backups", { target, apps: ["app_photos"], include_config: false });
  await until(() => pulls > 0);
  const texts = node.ctx.db.raw
    .query<{ event: string }, [string]>("SELECT event FROM operation_events WHERE operation_id = ? ORDER BY seq")
    .all(body.op_id)
    .map(({ event }) => JSON.parse(event).text);
  expect(texts).toContainEqual(expect.stringMatching(/^Waits for the image \S*whoami\S* of photos$/));
  expect((await post(node, `/api/backups/${body.id}/cancel`)).status).toBe(200);
  // Nothing but the cancel ends it: the clock stands still.
  const error = await until(() => node.ctx.operations.get(body.op_id).error);
  expect(error.code).toBe("backup_cancelled");
  expect((await get(node, "/api/backups"))[0].cancelled).toBe(true);
});
