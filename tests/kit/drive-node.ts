import { Database } from "bun:sqlite";
import { join } from "node:path";
import { migrate } from "../../src/kernel/db/migrate.ts";
import { openDatabase } from "../../src/kernel/db/open.ts";
import { collectMigrations } from "../../src/kernel/feature.ts";
import { minutes } from "../../src/lib/duration.ts";
import type { NodeWorld } from "../../src/node/create-base.ts";
import { nodeFeatures } from "../../src/node/features.ts";
import { migrateMetrics } from "../../src/node/open-series.ts";
import { CHUNK_BYTES } from "../../src/node/storage/drive/contract.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createTestNode, type TestNode } from "./node-app.ts";
import { closeStorageNode } from "./storage-node.ts";

const BEGINNING = "2026-01-01T00:00:00.000Z";

/** A node whose state is on disk in `folder`, as a process finds it that was started after another was killed; each a minute later. */
export function openDriveNode(folder: string, round: number, world: Pick<NodeWorld, "checkpoint"> = {}): TestNode {
  const main = openDatabase(join(folder, "main.db"));
  migrate(main, collectMigrations(nodeFeatures), BEGINNING, () => {});
  const series = new Database(":memory:");
  migrateMetrics(series, BEGINNING);
  const clock = createFakeClock(Date.parse(BEGINNING) + minutes(round));
  const before = { clock, dataDir: folder, ctx: { db: { raw: main }, metricsDb: series } };
  return createTestNode({ s3_listen: "127.0.0.1:0" }, before as never, world);
}

/** Sends a file of one request; the answer tells what became of it. */
export async function uploadTo(
  node: TestNode,
  name: string,
  bytes: Uint8Array,
): Promise<{ id?: string; code?: string }> {
  const body = new FormData();
  body.set("file", new File([new Uint8Array(bytes)], name));
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  const request = new Request("http://localhost/api/drive/upload?replace=true", { method: "POST", headers, body });
  return JSON.parse(await (await node.fetch(request)).text());
}

/** Sends a file in two chunks, the second one first; the answer is its id, or nothing where it was refused. */
export async function sendInChunks(
  node: TestNode,
  name: string,
  bytes: Uint8Array,
  mark: string,
): Promise<string | undefined> {
  const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
  const input = { name, folder_id: null, size_bytes: bytes.length, mark, replace: true };
  const { upload_id } = (await call("POST /api/drive/upload/init", input)).body;
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  for (const number of [2, 1]) {
    const url = `http://localhost/api/drive/upload/${upload_id}?number=${number}`;
    const body = new Uint8Array(bytes.slice((number - 1) * CHUNK_BYTES, number * CHUNK_BYTES));
    await node.fetch(new Request(url, { method: "PUT", headers, body }));
  }
  return (await call(`POST /api/drive/upload/${upload_id}/finish?replace=true`)).body.id;
}

/** Where an upload by tus ends. */
export async function tusEnd(node: TestNode, id: string): Promise<number> {
  const authorization = `Bearer ${await node.tokenOf("admin")}`;
  const headers = { authorization, host: "localhost", "tus-resumable": "1.0.0" };
  const url = `http://localhost/api/drive/upload/${id}`;
  const answer = await node.fetch(new Request(url, { method: "HEAD", headers }));
  return Number(answer.headers.get("upload-offset"));
}

/** Ends a node that `openDriveNode` opened; what is in its folder stays. */
export async function closeDriveNode(node: TestNode): Promise<void> {
  await closeStorageNode(node);
  node.ctx.db.raw.close();
}
