import { afterEach, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { docker, labelled } from "../kit/docker.ts";
import { ENGINE_SOCKET, type EngineNode, startEngineNode, visit, wipe } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { startRelay } from "../kit/socket-relay.ts";
import { until } from "../kit/until.ts";

/** The world stands still at this step; what comes after is never reached by that node. */
function haltAt(node: EngineNode, step: string): Promise<void> {
  return new Promise((reached) => {
    node.steps.before = (_, at) => {
      if (at !== step) return;
      reached();
      return new Promise((leave) => node.ctx.signal.addEventListener("abort", () => leave()));
    };
  });
}

suite("work that was cut off", ["docker", "registry", "images"], () => {
  let open: EngineNode[] = [];
  let folders: string[] = [];
  afterEach(async () => {
    const last = open.at(-1);
    if (last) {
      last.steps.before = () => {};
      for (const app of (await last.call("GET /api/apps")).body) await last.remove(app.id);
      await last.stop();
      wipe(last.dataDir);
    }
    open = [];
    for (const folder of folders) wipe(folder);
    folders = [];
  });

  async function start(options?: Parameters<typeof startEngineNode>[0]): Promise<EngineNode> {
    const node = await startEngineNode(options);
    open.push(node);
    return node;
  }

  test.each([
    "reserve",
    "pull:database",
    "network",
    "volumes",
    "create:database",
    "create:web",
    "start:database",
    "start:web",
    "health",
  ])(
    "an install that was cut off at %s is finished by the next start",
    async (step) => {
      const first = await start();
      const halted = haltAt(first, step);
      const { id, op_id } = await first.install("test-stack");
      await halted;
      await first.stop();

      const second = await start({ dataDir: first.dataDir });
      const app = await second.untilStatus(id, "running", 30_000);
      expect(app.services).toMatchObject([{ state: "running" }, { state: "running" }]);
      expect((await second.call(`GET /api/operations/${op_id}`)).body.status).toBe("done");
      expect(await second.eventsOf("app.installed")).toHaveLength(1);
      const steps = await Array.fromAsync(second.ctx.operations.read(op_id, 0, new AbortController().signal));
      const done = steps.flatMap(({ data }) => {
        const { status, step: name } = data as { status: string; step: string };
        return status === "done" ? [name] : [];
      });
      // Told once, although everything was looked at again.
      expect(done.length).toBe(new Set(done).size);
      expect((await labelled(`orrery.app=${id}`)).containers).toHaveLength(2);
      expect(await visit(app.url)).toContain("Visits: 1");
    },
    120_000,
  );

  test.each(["stop", "containers", "data"])(
    "an uninstall that was cut off at %s is finished",
    async (step) => {
      const first = await start();
      const { id } = await first.install("test-web");
      await first.untilStatus(id, "running");
      const halted = haltAt(first, step);
      await first.call(`DELETE /api/apps/${id}?delete_data=true`);
      await halted;
      await first.stop();
      const second = await start({ dataDir: first.dataDir });
      await until(async () => (await second.call(`GET /api/apps/${id}`)).status === 404, { timeoutMs: 20_000 });
      expect(await labelled(`orrery.app=${id}`)).toEqual({ containers: [], volumes: [], networks: [] });
    },
    120_000,
  );

  test("a failed install that was cut off before its clean-up is undone by the next start", async () => {
    const first = await start();
    const halted = haltAt(first, "health");
    const { id } = await first.install("test-sick");
    await halted;
    await first.stop();
    const second = await start({ dataDir: first.dataDir });
    await second.untilStatus(id, "error", 30_000);
    expect(await labelled(`orrery.app=${id}`)).toEqual({ containers: [], volumes: [], networks: [] });
  });

  test("what happened while the node was away is found at its start", async () => {
    const first = await start();
    const running = await first.install("test-web");
    const stopped = await first.install("test-web");
    const apps = [await first.untilStatus(running.id, "running"), await first.untilStatus(stopped.id, "running")];
    await first.stop();
    const [killed = "", ended = ""] = apps.map((app) => app.services[0].container_id);
    await docker("kill", killed);
    await docker("stop", "-t", "2", ended);
    const orphan = await docker(
      ...["create", "--label", "orrery.app=app_gone", "--label", `orrery.node=${(await labelOf(killed)) ?? ""}`],
      testEnv().images.base,
    );

    const second = await start({ dataDir: first.dataDir });
    expect((await second.untilStatus(running.id, "error")).cause).toContain("SIGKILL");
    expect((await second.untilStatus(stopped.id, "stopped")).cause).toContain("outside");
    expect(await second.eventsOf("app.crashed")).toMatchObject([{ app_id: running.id }]);
    expect(await docker("ps", "-aq", "--filter", `id=${orphan}`)).toBe("");
  });

  const labelOf = (container: string) =>
    docker("inspect", "--format", '{{index .Config.Labels "orrery.node"}}', container);

  test("an install goes on when the engine comes back, and nothing that happened meanwhile is missed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "orrery-relay-"));
    folders.push(folder);
    const relay = await startRelay(join(folder, "docker.sock"), ENGINE_SOCKET);
    const node = await start({ socket: relay.path });
    const old = await node.install("test-web");
    const before = await node.untilStatus(old.id, "running");
    const { id, op_id } = await node.install("test-slow");
    await until(async () => (await labelled(`orrery.app=${id}`)).containers.length > 0, { timeoutMs: 20_000 });

    await relay.cut();
    await until(async () => (await node.call("GET /api/system/runtime")).body.state !== "ok");
    expect((await node.call("GET /api/apps")).body).toHaveLength(2);
    expect((await node.call(`POST /api/apps/${old.id}/stop`)).status).toBe(503);
    await docker("kill", before.services[0].container_id);
    await Bun.sleep(2500);
    expect((await node.call(`GET /api/apps/${id}`)).body.status).toBe("installing");

    await relay.mend();
    await node.untilStatus(id, "running", 30_000);
    await node.untilStatus(old.id, "error");
    expect((await node.call(`GET /api/operations/${op_id}`)).body.status).toBe("done");
    expect(await node.eventsOf("app.crashed")).toMatchObject([{ app_id: old.id }]);
    const states = (await node.eventsOf("runtime.changed")).map(({ runtime }) => runtime.state);
    expect([states.at(0), states.at(-1)]).toEqual(["ok", "ok"]);
    expect(states).toContain("unreachable");
  });
});
