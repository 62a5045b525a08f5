import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../src/kernel/db/migrate.ts";
import { openDatabase } from "../../src/kernel/db/open.ts";
import { collectMigrations } from "../../src/kernel/feature.ts";
import { minutes } from "../../src/lib/duration.ts";
import type { NodeWorld } from "../../src/node/create-base.ts";
import { nodeFeatures } from "../../src/node/features.ts";
import { migrateMetrics } from "../../src/node/open-series.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createTestNode, type TestNode } from "./node-app.ts";

const BEGINNING = "2026-01-01T00:00:00.000Z";

/** A node whose state is on disk in `folder`, as a process finds it that was started after another was killed; each a minute later. */
export function openDriveNode(folder: string, round: number, world: Pick<NodeWorld, "checkpoint"> = {}): TestNode {
  const path = join(folder, "main.db");
  const isNew = !existsSync(path);
  const main = openDatabase(path);
  if (isNew) migrate(main, collectMigrations(nodeFeatures), BEGINNING, () => {});
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
