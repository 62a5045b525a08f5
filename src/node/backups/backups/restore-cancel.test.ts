/** What is put back can be cancelled until data goes for it, whatever its target does. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { addTarget, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { type OddS3Server, startOddS3Server } from "../../../../tests/kit/odd-s3-server.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { until } from "../../../../tests/kit/until.ts";
import { startVolumeEngine, type VolumeEngine } from "../../../../tests/kit/volume-engine.ts";

/** Asked once each time that a repository is opened. */
const OPENING = /^packs\/$/;

let node: TestNode;
let engine: VolumeEngine;
let server: OddS3Server;
let disk: string;
let backup: string;

const letter = () => join(engine.folderOf(node.ctx.apps.volumesOf("app_photos")[0]?.source ?? ""), "letter");
/** How an operation ends, while time passes. */
const end = (opId: string) =>
  until(async () => {
    await node.clock.advance(500);
    const operation = node.ctx.operations.get(opId);
    return operation.status === "running" ? null : operation;
  });
/** Lets time pass until the target was asked what it does not answer. */
async function untilSilent(): Promise<void> {
  let isSilent = false;
  void server.untilSilent().then(() => {
    isSilent = true;
  });
  await until(async () => {
    await node.clock.advance(500);
    return isSilent;
  });
}
const pending = (table: string) => node.ctx.db.raw.query(`SELECT 1 FROM ${table}`).all().length;

beforeEach(async () => {
  server = startOddS3Server();
  engine = startVolumeEngine();
  node = createTestNode({ docker_socket: engine.socket });
  const { manifest } = await node.ctx.templates.load("whoami");
  const data = [{ name: "data", description: "What it has", backup: true }];
  await seedApp(node, "photos", {
    manifest: JSON.stringify({ ...manifest, volumes: data, backup: { consistency: "live" } }),
  });
  engine.volumes.set(node.ctx.apps.volumesOf("app_photos")[0]?.source ?? "", "app_photos");
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
  mkdirSync(dirname(letter()), { recursive: true });
  writeFileSync(letter(), "then");
  await post(node, "/api/objects/buckets", { name: "photos" });
  disk = (await addTarget(node)).id;
  const odd = (await post(node, "/api/backup/targets", { ...server.input, name: "odd" })).body.id;
  const made = await post(node, "/api/backups", { target: odd, apps: ["app_photos"], include_config: true });
  backup = made.body.id;
  expect((await end(made.body.op_id)).status).toBe("done");
  const { op_id } = (await post(node, `/api/backups/${backup}/browse`)).body;
  expect((await end(op_id)).status).toBe("done");
  writeFileSync(letter(), "now");
});
afterEach(async () => {
  await node.ctx.objectStore.stop();
  node.close();
  engine.stop();
  await server.stop();
});

/** What is there is backed up before, for which the target is opened as well. */
const ORDERS: [what: string, opened: number, path: string, body: object][] = [
  ["an app", 1, "restore", { apps: ["app_photos"] }],
  ["an app beside", 0, "restore", { mode: "beside", apps: ["app_photos"], name: "copy" }],
  ["a file", 1, "put-back", { app: "app_photos", volume: "data", path: "letter", mode: "over", dry_run: false }],
  [
    "a file beside",
    0,
    "put-back",
    { app: "app_photos", volume: "data", path: "letter", mode: "beside", dry_run: false },
  ],
  ["a bucket", 2, "objects/restore", { buckets: ["photos"], drives: [], drives_over: false, remove_later: false }],
];

test.each(ORDERS)("what puts %s back is cancelled at once, and nothing has changed", async (_, opened, path, body) => {
  server.fallSilent(OPENING, opened);
  const begun = await post(node, `/api/backups/${backup}/${path}`, body);
  expect([begun.status, begun.body.code]).toEqual([200, undefined]);
  await untilSilent();
  expect((await post(node, `/api/backups/${backup}/cancel`)).status).toBe(200);
  expect((await end(begun.body.op_id)).error?.code).toBe("backup_cancelled");
  expect([readFileSync(letter(), "utf8"), node.ctx.apps.list().length]).toEqual(["now", 1]);
  for (const table of ["backup_restores", "backup_put_backs", "backup_object_restores"])
    expect([table, pending(table)]).toEqual([table, 0]);
  const next = await post(node, "/api/backups", { target: disk, apps: [], include_config: true });
  expect((await end(next.body.op_id)).status).toBe("done");
});
