import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { docker, labelled } from "../kit/docker.ts";
import { type EngineNode, startEngineNode, visit, wipe, writeVariant } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { until } from "../kit/until.ts";

suite("failed installs on a real engine", ["docker", "registry", "images"], () => {
  let node: EngineNode;
  beforeAll(async () => {
    node = await startEngineNode();
  });
  beforeEach(() => {
    node.events.length = 0;
  });
  afterEach(async () => {
    for (const app of (await node.call("GET /api/apps")).body) await node.remove(app.id);
  });
  afterAll(async () => {
    await node.stop();
    wipe(node.dataDir);
  });

  const nothing = { containers: [], volumes: [], networks: [] };

  /** A program that doubles a text until it has that many letters. */
  const fill = (letters: number) => `awk 'BEGIN { s = 12345678; while (length(s) < ${letters}) s = s s }'`;

  /** A template like test-web whose container runs that shell text. */
  function withCommand(name: string, change: (text: string) => string, shell: string): void {
    const command = `    command: ${JSON.stringify(["sh", "-c", shell])}\n    restart:`;
    writeVariant(node.dataDir, "test-web", name, (text) => change(text).replace("    restart:", command));
  }

  async function logOf(opId: string): Promise<string> {
    const events = await Array.fromAsync(node.ctx.operations.read(opId, 0, new AbortController().signal));
    return JSON.stringify(events.map(({ data }) => data));
  }

  test.each([
    ["test-crash", "exit code 3", "log lines", "config file /etc/app.conf is missing"],
    ["test-oom", "memory limit of 24 MB", "to 64 MB", "filling memory"],
    ["test-sick", "did not work within 4 seconds", "try again", "waiting for a database"],
  ])(
    "%s ends in error with cause, next step and last lines, and leaves nothing behind",
    async (template, cause, next, line) => {
      const { id, op_id } = await node.install(template);
      const app = await node.untilStatus(id, "error", 40_000);
      expect(app.cause).toContain(cause);
      expect(app.next_step).toContain(next);
      expect(await labelled(`orrery.app=${id}`)).toEqual(nothing);
      expect(await logOf(op_id)).toContain(line);
      const { lines } = (await node.call(`GET /api/apps/${id}/logs?lines=5`)).body;
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(lines).toContainEqual(expect.objectContaining({ service: "web", text: expect.stringContaining(line) }));
      const operation = (await node.call(`GET /api/operations/${op_id}`)).body;
      expect(operation).toMatchObject({ status: "failed", error: { message: app.cause, next_step: app.next_step } });
      expect(await node.eventsOf("app.installed")).toEqual([]);
      expect(await node.eventsOf("app.crashed")).toEqual([]);
    },
    120_000,
  );

  test("an image that does not exist, and a registry that is not there, are told apart", async () => {
    const { registry, images } = testEnv();
    writeVariant(node.dataDir, "test-web", "test-gone", (text) =>
      text.replace(images.web, `${registry}/orrery-test/gone:1`),
    );
    writeVariant(node.dataDir, "test-web", "test-away", (text) => text.replace(registry, "127.0.0.1:9"));
    const gone = await node.install("test-gone");
    expect((await node.untilStatus(gone.id, "error")).cause).toContain("does not have");
    const away = await node.install("test-away");
    expect((await node.untilStatus(away.id, "error", 30_000)).cause).toContain("cannot be reached");
    for (const { id } of [gone, away]) expect(await labelled(`orrery.app=${id}`)).toEqual(nothing);
    const plan = (await node.call("POST /api/apps/plan", { template: "test-gone" })).body;
    expect(plan.checks.find((check: { id: string }) => check.id === "image")).toMatchObject({ status: "fail" });
    expect(plan.ok).toBe(false);
  });

  test("a retry after the cause is gone works", async () => {
    const name = `foreign-${process.pid}`;
    await docker("create", "--name", `orrery-${name}-web`, testEnv().images.base);
    const { body } = await node.call("POST /api/apps", { template: "test-web", name });
    const failed = await node.untilStatus(body.id, "error");
    expect(failed.cause).toContain("does not belong to this app");
    await docker("rm", `orrery-${name}-web`);
    const retried = await node.call(`POST /api/apps/${body.id}/retry`);
    expect(retried.body.op_id).not.toBe(body.op_id);
    await node.untilStatus(body.id, "running");
    expect(await node.eventsOf("app.installed")).toHaveLength(1);
  });

  test("starting a failed install installs it again, and undoes it again", async () => {
    const { id } = await node.install("test-oom");
    await node.untilStatus(id, "error", 40_000);
    expect((await node.call(`POST /api/apps/${id}/stop`)).body.status).toBe("error");
    const started = (await node.call(`POST /api/apps/${id}/start`)).body;
    expect(started.status).toBe("installing");
    await node.untilStatus(id, "error", 40_000);
    expect((await node.call(`GET /api/operations/${started.op_id}`)).body.kind).toBe("app.install");
    expect(await labelled(`orrery.app=${id}`)).toEqual(nothing);
  });

  test("more memory can be given with the retry", async () => {
    withCommand(
      "test-tight",
      (text) => text.replace("memory_mb: 64", "memory_mb: 24"),
      `${fill(33_554_432)} && exec sh /app/web.sh`,
    );
    const { id } = await node.install("test-tight");
    const failed = await node.untilStatus(id, "error");
    expect(failed.cause).toContain("memory limit of 24 MB");
    expect((await node.call(`POST /api/apps/${id}/retry`, { limits: { nobody: {} } })).status).toBe(400);
    expect((await node.call(`POST /api/apps/${id}/retry`, { limits: { web: { memory_mb: 300 } } })).status).toBe(200);
    expect((await node.untilStatus(id, "running")).limits.web.memory_mb).toBe(300);
  });

  test("a port that is taken between the look and the start costs a detour, not the install", async () => {
    const squatters: Bun.Server<undefined>[] = [];
    node.steps.before = async (id, step) => {
      if (step !== "start:web" || squatters.length > 0) return;
      const { port } = (await node.call(`GET /api/apps/${id}`)).body;
      squatters.push(Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response("mine") }));
    };
    const { id } = await node.install("test-web");
    const app = await node.untilStatus(id, "running");
    node.steps.before = () => {};
    expect(await visit(app.url)).toContain("Visits:");
    expect(squatters.map(({ port }) => port)).not.toContain(app.port);
    await Promise.all(squatters.map((squatter) => squatter.stop(true)));
  });

  test("an uninstall in the middle of an install ends it and cleans up", async () => {
    const { id, op_id } = await node.install("test-slow");
    await until(async () => (await labelled(`orrery.app=${id}`)).containers.length > 0, { timeoutMs: 20_000 });
    const { body } = await node.call(`DELETE /api/apps/${id}?delete_data=true`);
    await until(async () => (await node.call(`GET /api/apps/${id}`)).status === 404, { timeoutMs: 20_000 });
    expect(await labelled(`orrery.app=${id}`)).toEqual(nothing);
    expect((await node.call(`GET /api/operations/${op_id}`)).body).toMatchObject({
      status: "failed",
      error: { code: "cancelled" },
    });
    expect((await node.call(`GET /api/operations/${body.op_id}`)).body.status).toBe("done");
    expect(await node.eventsOf("app.installed")).toEqual([]);
  });

  test("an app that dies of memory later is in error with the limit, and crashed", async () => {
    withCommand(
      "test-eater",
      (text) => text.replace("restart: unless-stopped", 'restart: "no"'),
      `sh /app/web.sh & sleep 5; exec ${fill(2 ** 40)}`,
    );
    const { id } = await node.install("test-eater");
    await node.untilStatus(id, "running");
    const down = await node.untilStatus(id, "error", 15_000);
    expect(down.cause).toContain("memory limit of 64 MB");
    expect(await node.eventsOf("app.crashed")).toMatchObject([
      { service: "web", next_step: expect.stringContaining("128 MB") },
    ]);
  });
});
