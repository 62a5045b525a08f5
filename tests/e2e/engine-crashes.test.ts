import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { docker } from "../kit/docker.ts";
import { type EngineNode, startEngineNode, wipe, writeVariant } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { until } from "../kit/until.ts";

suite("crashes on a real engine", ["docker", "registry", "images"], () => {
  let node: EngineNode;
  beforeAll(async () => {
    node = await startEngineNode();
  });
  afterEach(async () => {
    for (const app of (await node.call("GET /api/apps")).body) await node.remove(app.id);
  });
  afterAll(async () => {
    await node.stop();
    wipe(node.dataDir);
  });

  /** A web server that a file in its container brings down, with words and an exit code. */
  const mortal = [
    "trap 'exit 0' TERM; sh /app/web.sh &",
    "for i in $(seq 60); do echo line $i; done",
    "while [ ! -e /app/die ]; do sleep 0.1; done",
    "rm /app/die; echo DB_PASSWORD=hunter22; echo the end; exit 7",
  ].join("\n");

  async function installMortal(name: string, restart: string): Promise<{ id: string; container: string }> {
    writeVariant(node.dataDir, "test-web", name, (text) =>
      text.replace(
        "    restart: unless-stopped",
        () =>
          `    command: ${JSON.stringify(["sh", "-c", mortal.replaceAll("$", "$$$$")])}\n    restart: ${JSON.stringify(restart)}`,
      ),
    );
    const { id } = await node.install(name);
    const app = await node.untilStatus(id, "running", 30_000);
    return { id, container: app.services[0].container_id };
  }

  test("a crash is told of at once, with code, memory flag and the last lines, which stay", async () => {
    const { id, container } = await installMortal("test-mortal", "no");
    await docker("exec", container, "touch", "/app/die");
    await node.untilStatus(id, "error", 15_000);
    const told = Date.now();
    const [crash] = await node.eventsOf("app.crashed");
    expect(crash).toMatchObject({ app_id: id, service: "web" });
    // Not what it wrote: events reach people who may not read logs.
    expect(crash?.["end"]).toEqual({ at: expect.any(String), exit_code: 7, is_oom: false });
    const finished = Date.parse((await docker("inspect", "-f", "{{.State.FinishedAt}}", container)).trim());
    process.stdout.write(`a crash: told of ${told - finished} ms after the exit\n`);
    await docker("rm", "-f", container);
    const { body } = await node.call(`GET /api/apps/${id}/crashes`);
    expect(body).toMatchObject([{ service: "web", exit_code: 7, is_oom: false }]);
    expect(body[0].lines).toHaveLength(50);
    expect(body[0].lines.slice(-2)).toEqual(["DB_PASSWORD=••••", "the end"]);
  });

  test("an app that ends again and again is told of as a loop, and a restart by hand is a new beginning", async () => {
    const { id, container } = await installMortal("test-loop", "unless-stopped");
    for (let ends = 1; ends <= 3; ends++) {
      await until(async () => (await docker("inspect", "-f", "{{.State.Running}}", container)).trim() === "true", {
        timeoutMs: 15_000,
      });
      await docker("exec", container, "touch", "/app/die");
      await until(
        async () => (await node.eventsOf("app.service_ended")).filter((e) => e.app_id === id).length >= ends,
        {
          timeoutMs: 15_000,
        },
      );
    }
    await until(async () => (await node.call(`GET /api/apps/${id}`)).body.cause?.includes("keeps crashing"), {
      timeoutMs: 15_000,
    });
    const app = (await node.call(`GET /api/apps/${id}`)).body;
    expect(app).toMatchObject({ status: "degraded", next_step: expect.stringContaining("stop it until then") });
    expect(app.services[0].restarts).toBeGreaterThanOrEqual(3);
    expect((await node.call(`GET /api/apps/${id}/crashes`)).body.length).toBeGreaterThanOrEqual(3);
    await node.call(`POST /api/apps/${id}/restart`);
    expect((await node.untilStatus(id, "running", 30_000)).cause).toBeNull();
  });
});
