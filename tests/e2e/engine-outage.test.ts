import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EngineNode, startEngineNode, visit, wipe } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { until } from "../kit/until.ts";

suite("an engine that fails", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  const hasDefaultLink = () => existsSync("/sys/class/net/docker0");
  const hadDefaultLink = hasDefaultLink();
  beforeAll(async () => {
    engine = await startOwnEngine(48);
    node = await startEngineNode({ socket: engine.socket });
  });
  beforeEach(() => {
    node.events.length = 0;
  });
  afterAll(async () => {
    await empty();
    await node.stop();
    wipe(node.dataDir);
    await engine.dispose();
  });

  /** Takes from the engine whatever an earlier try of a test has left there. */
  async function empty(): Promise<void> {
    for (const app of (await node.call("GET /api/apps")).body) await node.remove(app.id);
    await engine.docker("image", "prune", "--all", "--force");
  }

  test("a full disk ends an install in error, harms no database, and the retry works", async () => {
    const stuffing = join(engine.root, "stuffing");
    rmSync(stuffing, { force: true });
    await empty();
    const { bavail, bsize } = statfsSync(engine.root);
    writeFileSync(stuffing, new Uint8Array(bavail * bsize - 400_000));
    const { id } = await node.install("test-web");
    const failed = await node.untilStatus(id, "error", 40_000);
    expect(failed.cause).toContain("full");
    expect(failed.next_step).toContain("Free some space");
    const plan = (await node.call("POST /api/apps/plan", { template: "test-web" })).body;
    expect(plan.checks.find((check: { id: string }) => check.id === "disk").status).toBe("fail");
    expect(node.ctx.db.raw.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });

    rmSync(stuffing);
    await node.call(`POST /api/apps/${id}/retry`);
    await node.untilStatus(id, "running", 30_000);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "apps come back by themselves after the engine ended by %s",
    async (signal) => {
      const [{ id }] = (await node.call("GET /api/apps")).body;
      const app = await node.untilStatus(id, "running");
      await engine.stop(signal);
      await until(async () => (await node.call("GET /api/system/runtime")).body.state === "unreachable", {
        what: "the engine to be missed",
      });
      expect((await node.call("GET /api/apps")).body).toHaveLength(1);
      expect((await node.call(`GET /api/apps/${app.id}`)).status).toBe(200);
      expect((await node.call(`POST /api/apps/${app.id}/restart`)).body).toMatchObject({ code: "runtime_unavailable" });

      await engine.start();
      await until(() => node.ctx.runtime.engine(), { what: "a new connection" });
      await node.untilStatus(app.id, "running", 20_000);
      expect((await node.eventsOf("app.crashed")).filter(({ app_id }) => app_id === app.id)).toEqual([]);
      expect(await visit(app.url)).toContain("Visits:");
      await engine.docker("kill", `orrery-${app.name}-web`);
      await node.untilStatus(app.id, "error");
      await node.call(`POST /api/apps/${app.id}/start`);
      await node.untilStatus(app.id, "running", 20_000);
    },
    120_000,
  );

  test("the engine of the machine keeps its network all the while", () => {
    expect(hasDefaultLink()).toBe(hadDefaultLink);
  });
});
