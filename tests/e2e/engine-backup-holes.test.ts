import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineNode, endAll, startEngineNode } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";

suite("backups of apps with holes", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let id: string;
  let container: string;
  let target: string;
  const shell = (script: string) => engine.docker("exec", "-u", "0", container, "sh", "-c", script);
  /** Why an operation failed. */
  const failureOf = async (opId: string) => {
    await node.untilOver(opId);
    return (await node.call(`GET /api/operations/${opId}`)).body.error;
  };

  beforeAll(async () => {
    engine = await startOwnEngine(900);
    node = await startEngineNode({ socket: engine.socket });
    ({ id, container } = await node.run("test-checked"));
    const path = makeScratch("backups");
    target = (await node.call("POST /api/backup/targets", { type: "local", name: "disk", path })).body.id;
  });
  afterAll(() => endAll({ node, id, engine }), 120_000);

  test("a file that is next to nothing but holes keeps its app out of a backup, and nothing else", async () => {
    await shell("truncate -s 200G /data/hole");
    const begin = async (include_config: boolean) =>
      (await node.call("POST /api/backups", { target, apps: [id], include_config })).body;
    const find = async (backup: { id: string }) =>
      (await node.call("GET /api/backups")).body.find((one: { id: string }) => one.id === backup.id);
    const whole = await begin(true);
    expect(await failureOf(whole.op_id)).toMatchObject({
      code: "backup_hollow",
      message: expect.stringMatching(/hole is 214\.7 GB long.* All else is in the backup\.$/),
    });
    expect(await find(whole)).toMatchObject({
      status: "completed",
      apps: [],
      notes: [expect.stringMatching(/^Without .*hole is 214\.7 GB long/)],
    });
    expect((await node.call("GET /api/system/overview")).body.backup).toMatchObject({
      left_out: { apps: [{ id }] },
    });
    const alone = await begin(false);
    expect((await failureOf(alone.op_id)).message).toContain("hole is 214.7 GB long");
    expect((await find(alone)).status).toBe("failed");
    const leftOut = { app_id: id, cause: expect.stringContaining("hole is 214.7 GB long") };
    expect(await node.eventsOf("backup.app_left_out")).toMatchObject([leftOut, leftOut]);
    expect(await node.eventsOf("backup.app_stored")).toEqual([]);
    await shell("rm /data/hole");
    const good = await begin(false);
    expect(await node.untilOver(good.op_id)).toBe("done");
    expect(await node.eventsOf("backup.app_stored")).toEqual([{ backup_id: good.id, app_id: id }]);
    await node.untilStatus(id, "running", 60_000);
  });
});
