import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineNode, endAll, startEngineNode, writeVariant } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { type GuardedRegistry, startGuardedRegistry } from "../kit/guarded-registry.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";

suite("images that are had by a login, or by a mirror alone", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let guard: GuardedRegistry;
  let target: string;
  beforeAll(async () => {
    engine = await startOwnEngine(300);
    node = await startEngineNode({ socket: engine.socket });
    guard = startGuardedRegistry("basic");
    const login = { address: guard.address, username: guard.username, secret: guard.password, confirm_private: true };
    expect((await node.call("POST /api/containers/registries", login)).status).toBe(200);
    const { registry } = testEnv();
    const mirror = { value: `nowhere.example=${registry}` };
    expect((await node.call("PUT /api/settings/apps.registry_mirror", mirror)).status).toBe(200);
    const at = (address: string) => (text: string) => text.replaceAll(registry, address);
    writeVariant(node.dataDir, "test-web", "test-login", at(guard.address));
    writeVariant(node.dataDir, "test-web", "test-mirror", at("nowhere.example"));
    const place = { type: "local", name: "disk", path: makeScratch("backups") };
    target = (await node.call("POST /api/backup/targets", place)).body.id;
  });
  afterAll(async () => {
    await guard?.stop();
    await endAll({ node, id: "", engine });
  });

  /** What a new server has of Docker: nothing. */
  async function loseAll(): Promise<void> {
    const containers = (await engine.docker("ps", "-aq")).split("\n").filter((id) => id !== "");
    if (containers.length > 0) await engine.docker("rm", "-f", ...containers);
    await engine.docker("volume", "prune", "-f");
    await engine.docker("image", "prune", "-af");
    expect(await engine.docker("images", "-q")).toBe("");
  }

  test.each(["test-login", "test-mirror"])(
    "the data of an app is read, backed up and put back on a Docker that has lost all: %s",
    async (template) => {
      const { id, container } = await node.run(template);
      const shell = (script: string) => engine.docker("exec", container, "sh", "-c", script);
      await shell("echo kept >/data/note");
      const files = await node.call(`GET /api/apps/${id}/files?volume=data&path=`);
      expect(files.body.entries?.map(({ name }: { name: string }) => name)).toContain("note");
      const backup = (await node.call("POST /api/backups", { target, apps: [id], include_config: true })).body;
      expect(await node.untilOver(backup.op_id)).toBe("done");
      await node.untilStatus(id, "running", 60_000);
      await loseAll();
      await node.untilStatus(id, "error", 60_000);
      const { op_id } = (await node.call(`POST /api/backups/${backup.id}/restore`, {})).body;
      expect(await node.untilOver(op_id)).toBe("done");
      expect((await node.call(`POST /api/apps/${id}/start`)).status).toBe(200);
      await node.untilStatus(id, "running", 60_000);
      expect(await shell("cat /data/note")).toBe("kept");
      await node.remove(id);
    },
    120_000,
  );
});
