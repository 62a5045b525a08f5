import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { docker, forgetImage, labelled } from "../kit/docker.ts";
import { type EngineNode, startEngineNode, visit, wipe, writeVariant } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { until } from "../kit/until.ts";

suite("an app's life on a real engine", ["docker", "registry", "images"], () => {
  let node: EngineNode;
  beforeAll(async () => {
    node = await startEngineNode();
  });
  beforeEach(() => {
    node.events.length = 0;
  });
  afterEach(async () => {
    for (const app of (await node.call("GET /api/apps")).body) await node.remove(app.id);
    for (const kept of (await node.call("GET /api/apps/trash")).body)
      await node.call(`DELETE /api/apps/trash/${kept.app_id}`);
  });
  afterAll(async () => {
    await node.stop();
    wipe(node.dataDir);
  });

  const containerOf = (app: { services: { name: string; container_id: string }[] }, name: string) =>
    app.services.find((service) => service.name === name)?.container_id ?? "";

  test("is pulled, made, started and reached; its secrets, limits and labels are real", async () => {
    await forgetImage(testEnv().images.layers);
    const { id, op_id } = await node.install("test-layers", { inputs: { GREETING: "moin" } });
    const app = await node.untilStatus(id, "running");
    expect(await node.eventsOf("app.installed")).toMatchObject([
      { app_id: id, template: "test-layers", status: "running" },
    ]);
    expect(app).toMatchObject({
      cause: null,
      op_id: null,
      inputs: { GREETING: "moin" },
      services: [{ state: "running" }],
    });

    const inspected = JSON.parse(await docker("inspect", containerOf(app, "web")))[0];
    const [secret] = (await node.call(`GET /api/apps/${id}/secrets`)).body;
    expect(inspected.Config.Env).toContain(`APP_SECRET=${secret.value}`);
    expect(inspected.HostConfig).toMatchObject({ Memory: 64 * 1_048_576, PidsLimit: 100, NanoCpus: 1e9 });
    expect(inspected.HostConfig.SecurityOpt).toContain("no-new-privileges:true");
    expect(await labelled(`orrery.app=${id}`)).toEqual({
      containers: [`orrery-${app.name}-web`],
      volumes: [`orrery-${id}-data`],
      networks: [`orrery-${app.name}`],
    });

    const events = await Array.fromAsync(node.ctx.operations.read(op_id, 0, new AbortController().signal));
    const pulled = events.map(({ data }) => data as Record<string, unknown>).filter(({ step }) => step === "pull:web");
    expect(pulled.some(({ bytes_total }) => Number(bytes_total) > 0)).toBe(true);
    expect(events.at(-1)?.event).toBe("done");
  });

  test("a new secret restarts who uses it; one that it does not work with gives way to the former", async () => {
    const { id } = await node.install("test-stack");
    const before = await node.untilStatus(id, "running", 30_000);
    const secretNow = async (): Promise<string> => (await node.call(`GET /api/apps/${id}/secrets`)).body[0].value;
    const secretOf = async (app: typeof before): Promise<string> => {
      const [{ Config }] = JSON.parse(await docker("inspect", containerOf(app, "web")));
      return Config.Env.find((line: string) => line.startsWith("APP_SECRET=")).slice("APP_SECRET=".length);
    };
    const first = await secretNow();
    const rotate = `POST /api/apps/${id}/secrets/APP_SECRET/rotate`;
    expect((await node.call(`${rotate}/plan`)).body.restarts).toEqual(["web"]);
    expect((await node.call(rotate)).body.op_id).toEqual(expect.any(String));
    const renewed = await node.untilStatus(id, "running", 30_000);
    expect([await secretOf(renewed), await secretOf(renewed)]).toEqual([
      await secretNow(),
      expect.not.stringMatching(first),
    ]);
    expect(containerOf(renewed, "database")).toBe(containerOf(before, "database"));
    const second = await secretNow();

    let failures = 0;
    node.steps.before = (_, step) => {
      if (step === "health" && failures++ === 0) throw new Error("it does not know the new secret");
    };
    await node.call(rotate);
    const back = await node.untilStatus(id, "running", 60_000);
    node.steps.before = () => {};
    expect([await secretNow(), await secretOf(back)]).toEqual([second, second]);
    expect(await node.eventsOf("app.secrets_restored")).toMatchObject([
      { app_id: id, labels: ["A secret of the app"] },
    ]);
    expect(containerOf(back, "database")).toBe(containerOf(before, "database"));
  });

  test("tells what it uses and what it writes", async () => {
    const { id } = await node.install("test-stack");
    await node.untilStatus(id, "running", 30_000);
    await node.call(`GET /api/apps/${id}/stats`);
    await Bun.sleep(600);
    const { body } = await node.call(`GET /api/apps/${id}/stats`);
    expect(body).toMatchObject({ app_id: id, memory_limit_mb: 128 });
    expect(body.memory_usage_mb).toBeGreaterThan(0.2);
    expect(body.memory_usage_mb).toBeLessThan(60);
    expect(body.network_rx_bytes).toBeGreaterThan(0);
    expect(body.services.map(({ name }: { name: string }) => name)).toEqual(["database", "web"]);

    const { lines } = (await node.call(`GET /api/apps/${id}/logs?lines=20`)).body;
    expect(new Set(lines.map(({ service }: { service: string }) => service))).toEqual(new Set(["database", "web"]));
    const times = lines.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
    expect(lines.every(({ level }: { level: string }) => level === "info" || level === "warn")).toBe(true);
    expect((await node.call(`GET /api/apps/${id}/logs?service=nobody`)).body.params.field).toBe("service");
  });

  test("stops, starts and restarts on request", async () => {
    const { id } = await node.install("test-web");
    const app = await node.untilStatus(id, "running");
    expect((await node.call(`POST /api/apps/${id}/stop`)).body.status).toBe("stopping");
    const stopped = await node.untilStatus(id, "stopped");
    expect(stopped).toMatchObject({ started_at: null, cause: null, services: [{ state: "exited" }] });
    expect((await node.call(`POST /api/apps/${id}/start`)).body.status).toBe("starting");
    await node.untilStatus(id, "running");
    expect(await visit(app.url)).toContain("Visits:");
    await node.call(`POST /api/apps/${id}/restart`);
    await until(async () => (await node.eventsOf("app.started")).length === 2, {
      timeoutMs: 20_000,
      what: "two starts",
    });
    expect(await node.eventsOf("app.stopped")).toHaveLength(1);
    expect(await node.eventsOf("app.crashed")).toEqual([]);
  });

  test("what happens to its containers is known within a second", async () => {
    const { id } = await node.install("test-stack");
    const app = await node.untilStatus(id, "running", 30_000);
    const waits: number[] = [];
    /** Waits for what something on the engine leads to. */
    const becomes = async (status: string) => {
      const begun = performance.now();
      const found = await node.untilStatus(id, status);
      waits.push(performance.now() - begun);
      return found;
    };

    await docker("kill", containerOf(app, "web"));
    const killed = await becomes("degraded");
    expect(killed.cause).toContain("SIGKILL");
    expect(await node.eventsOf("app.crashed")).toMatchObject([{ app_id: id, service: "web", cause: killed.cause }]);

    await docker("start", containerOf(app, "web"));
    await becomes("running");

    await docker("stop", "-t", "2", containerOf(app, "web"), containerOf(app, "database"));
    const stopped = await becomes("stopped");
    expect(stopped.cause).toContain("outside");
    expect(await node.eventsOf("app.crashed")).toHaveLength(1);

    await node.call(`POST /api/apps/${id}/start`);
    // Made anew, with another port, when somebody took the port meanwhile.
    const started = await node.untilStatus(id, "running", 30_000);
    await docker("rm", "-f", containerOf(started, "web"), containerOf(started, "database"));
    await becomes("error");
    // For a moment between the end of a container and its removal the app says what ended it.
    const cause = async (): Promise<string> => (await node.call(`GET /api/apps/${id}`)).body.cause ?? "";
    await until(async () => (await cause()).includes("was removed"), { what: "the removal to be the cause" });
    // A machine that is busy with tests may be late now and then.
    expect(waits.toSorted((a, b) => a - b)[1]).toBeLessThan(1_000);
    await node.call(`POST /api/apps/${id}/start`);
    expect(await visit((await node.untilStatus(id, "running", 30_000)).url)).toContain("Visits: 1");
  });

  test("keeps its data over an uninstall, and takes it up again under the same name", async () => {
    const first = await node.install("test-web");
    const app = await node.untilStatus(first.id, "running");
    expect(await visit(app.url)).toContain("Visits: 1");
    const secrets = (await node.call(`GET /api/apps/${first.id}/secrets`)).body;
    await node.call(`DELETE /api/apps/${first.id}`);
    await until(async () => (await node.call(`GET /api/apps/${first.id}`)).status === 404, { timeoutMs: 20_000 });
    expect(await node.eventsOf("app.uninstalled")).toMatchObject([{ app_id: first.id }]);
    expect(await labelled(`orrery.app=${first.id}`)).toEqual({
      containers: [],
      volumes: [`orrery-${first.id}-data`],
      networks: [],
    });
    const [kept] = (await node.call("GET /api/apps/trash")).body;
    expect(kept).toMatchObject({ app_id: first.id, name: app.name, volumes: [`orrery-${first.id}-data`] });
    expect(Date.parse(kept.purge_at) - Date.parse(kept.deleted_at)).toBe(7 * 86_400_000);

    const { body } = await node.call("POST /api/apps", { template: "test-web", name: app.name });
    expect(body.id).toBe(first.id);
    const again = await node.untilStatus(first.id, "running");
    expect(await visit(again.url)).toContain("Visits: 2");
    expect((await node.call(`GET /api/apps/${first.id}/secrets`)).body).toEqual(secrets);
    expect((await node.call("GET /api/apps/trash")).body).toEqual([]);

    await node.remove(first.id);
    expect(await labelled(`orrery.app=${first.id}`)).toEqual({ containers: [], volumes: [], networks: [] });
  });

  test("kept data is deleted for good when its time is over", async () => {
    const { id } = await node.install("test-web");
    await node.untilStatus(id, "running");
    await node.call(`DELETE /api/apps/${id}`);
    await until(async () => (await node.call(`GET /api/apps/${id}`)).status === 404, { timeoutMs: 20_000 });
    await node.ctx.jobs.run("apps.purge_trash");
    expect((await node.call("GET /api/apps/trash")).body).toHaveLength(1);
    node.ctx.db.raw.query("UPDATE app_trash SET purge_at = '2026-01-01T00:00:00.000Z'").run();
    await node.ctx.jobs.run("apps.purge_trash");
    expect((await node.call("GET /api/apps/trash")).body).toEqual([]);
    expect((await labelled(`orrery.app=${id}`)).volumes).toEqual([]);
  });

  test("gets another port when one is taken, by a program, an app, or while it was stopped", async () => {
    const first = await node.install("test-web");
    const app = await node.untilStatus(first.id, "running");
    const second = await node.install("test-web", { ports: { "web:8080": app.port } });
    const other = await node.untilStatus(second.id, "running");
    expect(other.port).toBeGreaterThan(app.port);

    await node.call(`POST /api/apps/${second.id}/stop`);
    await node.untilStatus(second.id, "stopped");
    const squatter = Bun.serve({ port: other.port, hostname: "127.0.0.1", fetch: () => new Response("mine") });
    await node.call(`POST /api/apps/${second.id}/start`);
    const moved = await node.untilStatus(second.id, "running");
    await squatter.stop(true);
    expect((await node.eventsOf("app.crashed")).length).toBe(0);
    expect(moved.port).not.toBe(other.port);
    expect(await visit(moved.url)).toContain("Visits:");
  });

  test("comes through a mirror when there is one", async () => {
    const { registry, images } = testEnv();
    writeVariant(node.dataDir, "test-layers", "test-mirror", (text) => text.replace(registry, "registry.invalid"));
    await node.call("PUT /api/settings/apps.registry_mirror", { value: `registry.invalid=${registry}` });
    await forgetImage(images.layers);
    const { id } = await node.install("test-mirror");
    const app = await node.untilStatus(id, "running");
    expect(app.services[0].image).toContain("registry.invalid/");
    await node.call("PUT /api/settings/apps.registry_mirror", { value: "" });
  });

  test("its log can be followed through a restart", async () => {
    const { id } = await node.install("test-web");
    await node.untilStatus(id, "running");
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 0,
      fetch: (request) => node.handle(request),
    });
    const stop = new AbortController();
    const response = await fetch(`${server.url}api/apps/${id}/logs?follow=true&lines=1`, {
      headers: node.headers,
      signal: stop.signal,
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    let text = "";
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
    })().catch(() => {});
    await until(() => text.includes("tick"), { what: "a first line" });
    await node.call(`POST /api/apps/${id}/restart`);
    await until(() => text.includes("INFO starting"), { timeoutMs: 20_000, what: "lines of the next run" });
    await until(() => /starting[\s\S]*tick 2/.test(text), { timeoutMs: 20_000, what: "later lines" });
    stop.abort();
    await reading;
    await server.stop(true);
    const ids = [...text.matchAll(/^id: (.*)$/gm)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
