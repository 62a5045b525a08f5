import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EngineNode, endAll, startEngineNode } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";
import { writeTestTemplates } from "../kit/templates.ts";

suite("new apps beside others, on folders that a container can replace", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let id: string;
  let shelf: string;
  let films: string;
  let backup: string;

  /** Whoever may write to the shelf puts a link to the server's settings in the place of the app's folder. */
  async function replace(): Promise<void> {
    await engine.docker("run", "-d", "--name", "keeper", "-v", `${shelf}:/shelf`, testEnv().images.web);
    await engine.docker("exec", "-u", "0", "keeper", "sh", "-c", "cd /shelf && mv films old && ln -s /etc films");
  }
  async function putRight(): Promise<void> {
    await engine.docker("rm", "-f", "keeper");
    rmSync(films);
    renameSync(join(shelf, "old"), films);
  }
  const beside = (name: string) =>
    node.call(`POST /api/backups/${backup}/restore`, { mode: "beside", apps: [id], name });
  const findApp = async (name: string) =>
    (await node.call("GET /api/apps")).body.find((app: { name: string }) => app.name === name);
  const containersOf = (name: string) => engine.docker("ps", "-aq", "--filter", `name=orrery-${name}-`);

  beforeAll(async () => {
    engine = await startOwnEngine(500);
    node = await startEngineNode({ socket: engine.socket });
    shelf = makeScratch("shelf");
    films = join(shelf, "films");
    mkdirSync(films);
    writeFileSync(join(films, "mine"), "mine");
    const templates = join(node.dataDir, "own-templates");
    writeTestTemplates(templates, [{ name: "test-films", image: "web", hostPath: films }]);
    ({ id } = await node.install("test-films", { permissions: [`host_path:${films}`] }));
    await node.untilStatus(id, "running", 60_000);
    const path = makeScratch("backups");
    const target = (await node.call("POST /api/backup/targets", { type: "local", name: "disk", path })).body.id;
    const made = (await node.call("POST /api/backups", { target, apps: [id], include_config: false })).body;
    expect(await node.untilOver(made.op_id)).toBe("done");
    backup = made.id;
  }, 120_000);
  afterAll(() => endAll({ node, id, engine }), 120_000);

  test("none is made before somebody has confirmed the folder", async () => {
    await replace();
    const refused = await beside("early");
    expect([refused.status, refused.body.code]).toEqual([409, "path_unconfirmed"]);
    expect([await findApp("early"), await containersOf("early")]).toEqual([undefined, ""]);
    await putRight();
    expect(await node.untilOver((await beside("early")).body.op_id)).toBe("done");
    const { id: made } = await findApp("early");
    await node.untilStatus(made, "running", 60_000);
    expect(await engine.docker("exec", "orrery-early-web", "ls", "/host")).toBe("mine");
    await node.remove(made);
  });

  test("none is started on one that is replaced while its data comes", async () => {
    let isReplaced = false;
    node.steps.before = async (app, step) => {
      if (step !== "paths" || app === id || isReplaced) return;
      isReplaced = true;
      await replace();
    };
    expect(await node.untilOver((await beside("late")).body.op_id)).toBe("done");
    const { id: made } = await findApp("late");
    const { cause } = await node.untilStatus(made, "error", 60_000);
    expect([isReplaced, cause]).toEqual([true, expect.stringContaining("keeper")]);
    expect(await containersOf("late")).toBe("");
    await putRight();
    expect((await node.call(`POST /api/apps/${made}/start`)).status).toBe(200);
    await node.untilStatus(made, "running", 60_000);
    await node.remove(made);
  });
});
