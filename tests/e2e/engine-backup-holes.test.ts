import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";
import { until } from "../kit/until.ts";

suite("backups of apps with holes", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let id: string;
  let container: string;
  let target: string;
  const shell = (script: string) => engine.docker("exec", "-u", "0", container, "sh", "-c", script);
  /** Why an operation failed; null where it did not. */
  const untilOver = (opId: string) =>
    until(async () => {
      const { status, error } = (await node.call(`GET /api/operations/${opId}`)).body;
      return status === "running" ? null : { error };
    });

  beforeAll(async () => {
    engine = await startOwnEngine(900);
    node = await startEngineNode({ socket: engine.socket });
    ({ id } = await node.install("test-checked"));
    await node.untilStatus(id, "running", 60_000);
    const { services, name } = (await node.call(`GET /api/apps/${id}`)).body;
    container = `orrery-${name}-${services[0].name}`;
    const path = makeScratch("backups");
    target = (await node.call("POST /api/backup/targets", { type: "local", name: "disk", path })).body.id;
  }, 120_000);
  afterAll(async () => {
    if (id) await node.remove(id).catch(() => "the engine goes with it");
    await node?.stop();
    if (node) wipe(node.dataDir);
    await engine?.dispose();
  }, 120_000);

  test("a file that is next to nothing but holes keeps its app out of a backup, and nothing else", async () => {
    await shell("truncate -s 200G /data/hole");
    const begin = async (include_config: boolean) =>
      (await node.call("POST /api/backups", { target, apps: [id], include_config })).body;
    const find = async (backup: { id: string }) =>
      (await node.call("GET /api/backups")).body.find((one: { id: string }) => one.id === backup.id);
    const whole = await begin(true);
    expect((await untilOver(whole.op_id)).error).toMatchObject({
      code: "backup_hollow",
      message: expect.stringMatching(/hole is 214\.7 GB long.* All else is in the backup\.$/),
    });
    expect(await find(whole)).toMatchObject({
      status: "completed",
      apps: [],
      notes: [expect.stringMatching(/^Without .*hole is 214\.7 GB long/)],
    });
    const alone = await begin(false);
    expect((await untilOver(alone.op_id)).error.message).toContain("hole is 214.7 GB long");
    expect((await find(alone)).status).toBe("failed");
    await node.untilStatus(id, "running", 60_000);
  }, 120_000);
});
