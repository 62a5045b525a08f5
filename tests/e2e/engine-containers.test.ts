import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { until } from "../kit/until.ts";

suite("containers that nobody installed", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let web: string;
  beforeAll(async () => {
    web = testEnv().images.web;
    engine = await startOwnEngine(96);
    node = await startEngineNode({ socket: engine.socket });
  });
  afterAll(async () => {
    for (const app of (await node.call("GET /api/apps")).body) await node.remove(app.id);
    await node.stop();
    wipe(node.dataDir);
    await engine.dispose();
  });

  const ended = async (opId: string) => {
    let last: unknown;
    return until(
      async () => {
        const { body } = await node.call(`GET /api/operations/${opId}`);
        last = body;
        return body.status === "running" ? null : body;
      },
      { timeoutMs: 60_000, what: `the end of ${JSON.stringify(last)}` },
    );
  };
  const audited = async () => {
    await node.ctx.bus.idle();
    const { body } = await node.call("GET /api/audit/logs?limit=100");
    return body.map(({ action, resource }: { action: string; resource: string }) => `${action} ${resource}`);
  };
  const find = async (name: string) =>
    (await node.call("GET /api/containers")).body.find((each: { name: string }) => each.name === name);
  const names = async (kind: string) =>
    (await node.call(`GET /api/containers/${kind}`)).body.map((each: { name: string }) => each.name);

  test("an image is pulled with its progress, and a name that the registry lacks says so", async () => {
    const { status, body } = await node.call("POST /api/containers/images/pull", { image: web });
    expect(status).toBe(200);
    expect(await ended(body.op_id)).toMatchObject({ kind: "image.pull", status: "done", error: null });
    const [image] = (await node.call("GET /api/containers/images")).body;
    expect(image).toMatchObject({ used_by: [], kept: false });
    expect(image.size_bytes).toBeGreaterThan(0);
    const missing = `${testEnv().registry}/orrery/there-is-no-such:1`;
    const failed = (await node.call("POST /api/containers/images/pull", { image: missing })).body;
    expect(await ended(failed.op_id)).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining(missing), next_step: expect.any(String) },
    });
    expect(await audited()).toContain(`image.pulled image:${web}`);
  });

  test("a container is listed without its environment, and described without its passwords", async () => {
    await engine.docker(
      ...["run", "-d", "--name", "shop", "-p", "127.0.0.1:18099:8080", "-v", "shop-data:/data", "-v", "/anonymous"],
      ...["-e", "DB_PASSWORD=hunter2", "-e", "COLOUR=red", "--label", "proxy.basicauth.users=ada:hunter2", web],
    );
    const listed = await find("shop");
    expect(listed).toMatchObject({ name: "shop", state: "running", owner: null, project: null });
    expect(listed.ports).toContainEqual({ container: 8080, protocol: "tcp", host: 18099, bind: "127.0.0.1" });
    expect(JSON.stringify(listed)).not.toMatch(/hunter2|COLOUR/);
    const { body } = await node.call("GET /api/containers/shop");
    expect(body.environment).toContainEqual({ name: "COLOUR", value: "red" });
    expect(body.environment).toContainEqual({ name: "DB_PASSWORD", value: null });
    expect(body.mounts).toContainEqual({ kind: "volume", source: "shop-data", target: "/data", read_only: false });
    expect(body.started_at).not.toBeNull();
    expect(JSON.stringify(body)).not.toContain("hunter2");
    expect((await node.call("GET /api/containers/nobody")).body).toMatchObject({ code: "container_not_found" });
  });

  test("its log is read, and followed through a restart", async () => {
    const lines = async () => (await node.call("GET /api/containers/shop/logs?lines=50")).body.lines;
    const [first] = await until(async () => ((await lines()).length > 0 ? lines() : null), { what: "a log" });
    expect(first).toMatchObject({ text: expect.any(String), stream: expect.any(String) });
    const stop = new AbortController();
    const address = "http://localhost/api/containers/shop/logs?follow=true&lines=1";
    const reply = await node.handle(new Request(address, { headers: node.headers, signal: stop.signal }));
    expect(reply.headers.get("content-type")).toContain("text/event-stream");
    const seen: string[] = [];
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of reply.body ?? []) {
        seen.push(
          ...decoder
            .decode(piece)
            .split("\n")
            .filter((line) => line.startsWith("id: ")),
        );
        if (seen.length >= 2) return;
      }
    })();
    await until(() => seen.length > 0, { what: "the last line" });
    expect((await node.call("POST /api/containers/shop/restart")).body).toMatchObject({ state: "running" });
    await reading;
    stop.abort();
    expect(seen[1]?.localeCompare(seen[0] ?? "")).toBe(1);
  });

  test("it stops, starts, and is removed only when it stands still or by force; its volumes stay", async () => {
    expect((await node.call("POST /api/containers/shop/stop")).body).toMatchObject({ state: "exited" });
    const before = (await audited()).length;
    expect((await node.call("POST /api/containers/shop/stop")).status).toBe(200);
    expect((await audited()).length).toBe(before);
    expect((await node.call("POST /api/containers/shop/start")).body).toMatchObject({ state: "running" });
    expect((await node.call("DELETE /api/containers/shop")).body).toMatchObject({ code: "container_running" });
    const volumes = await names("volumes");
    expect(volumes).toContain("shop-data");
    expect((await node.call("DELETE /api/containers/volumes/shop-data")).body).toMatchObject({
      code: "volume_in_use",
      params: { users: "shop" },
    });
    const [image] = (await node.call("GET /api/containers/images")).body;
    expect((await node.call(`DELETE /api/containers/images/${image.id}`)).body).toMatchObject({ code: "image_in_use" });
    for (const none of ["toString", "NaN", "sha256:00"])
      expect(await node.call(`DELETE /api/containers/images/${none}`)).toMatchObject({
        status: 404,
        body: { code: "image_not_found" },
      });
    expect((await node.call("DELETE /api/containers/shop?force=true")).status).toBe(200);
    expect(await find("shop")).toBeUndefined();
    expect(await names("volumes")).toEqual(volumes);
    const lines = (await audited()).filter((line: string) => line.startsWith("container."));
    expect(lines.map((line: string) => line.split(" ")[0])).toEqual([
      "container.removed",
      "container.started",
      "container.stopped",
      "container.restarted",
    ]);
  });

  test("what Docker refuses is said in its words", async () => {
    await engine.docker("create", "--name", "broken", "--entrypoint", "/there-is-none", web);
    const { status, body } = await node.call("POST /api/containers/broken/start");
    expect([status, body.code]).toEqual([409, "engine_refused"]);
    expect(body.message).toContain("/there-is-none");
    await engine.docker("rm", "broken");
  });

  test("what belongs to an app is left to it", async () => {
    const { id } = await node.install("test-web");
    await node.untilStatus(id, "running");
    const [own] = (await node.call("GET /api/containers")).body;
    expect(own.owner).toMatchObject({ kind: "app", app_id: id });
    const image = (await node.call("GET /api/containers/images")).body.find(
      (each: { used_by: string[] }) => each.used_by.length > 0,
    );
    expect(image).toMatchObject({ kept: true });
    const network = (await node.call("GET /api/containers/networks")).body.find(
      (each: { owner: unknown }) => each.owner !== null,
    );
    for (const route of [
      `POST /api/containers/${own.id}/stop`,
      `POST /api/containers/${own.name}/restart`,
      `DELETE /api/containers/${own.id}?force=true`,
      `DELETE /api/containers/networks/${network.id}`,
    ]) {
      const { status, body } = await node.call(route);
      expect([route, status, body.code]).toEqual([route, 409, "owned_by_app"]);
    }
    await node.untilStatus(id, "running");
    // Its containers are gone for a moment, as in an update: what it runs from stays all the same.
    await engine.docker("rm", "-f", own.id);
    expect((await node.call(`DELETE /api/containers/images/${image.id}`)).body).toMatchObject({ code: "image_kept" });
    await node.remove(id);
    const other = ["--label", "orrery.app=app_x", "--label", "orrery.node=another"];
    await engine.docker("create", "--name", "theirs", ...other, web);
    expect((await node.call("DELETE /api/containers/theirs")).body).toMatchObject({ code: "owned_by_other_node" });
    await engine.docker("rm", "theirs");
  });

  test("labels of an image make nobody the owner of its containers", async () => {
    const labels = { "orrery.app": "app_1", "orrery.node": "elsewhere", "orrery.service": "web" };
    await engine.docker("create", "--name", "mould", web);
    const changes = Object.entries(labels).flatMap(([name, value]) => ["--change", `LABEL ${name}=${value}`]);
    await engine.docker("commit", ...changes, "mould", "pretending:1");
    await engine.docker("rm", "mould");
    await engine.docker("run", "-d", "--name", "pretender", "pretending:1");
    await engine.docker(
      "run",
      "-d",
      "--name",
      "renamed",
      "--label",
      "orrery.app=app_2",
      "--label",
      "orrery.node=elsewhere",
      web,
    );
    expect((await find("pretender")).owner).toBeNull();
    expect((await find("renamed")).owner).toMatchObject({ kind: "other_node", app_id: "app_2" });
    const ofNode = await node.ctx.runtime.requireEngine().listContainers({ "orrery.node": "elsewhere" });
    expect(ofNode.map(({ Names }) => Names)).toEqual([["/renamed"]]);
    const remove = async (name: string) =>
      (await node.call(`DELETE /api/containers/${(await find(name)).id}?force=true`)).status;
    expect(await remove("pretender")).toBe(200);
    expect(await remove("renamed")).toBe(409);
    await engine.docker("rm", "-f", "renamed");
    await engine.docker("rmi", "pretending:1");
  });

  test("networks are removed when nobody is in them, and never Docker's own", async () => {
    await engine.docker("network", "create", "--internal", "back");
    await engine.docker("create", "--name", "worker", "--network", "back", web);
    const back = async () =>
      (await node.call("GET /api/containers/networks")).body.find((each: { name: string }) => each.name === "back");
    expect(await back()).toMatchObject({ internal: true, used_by: ["worker"], built_in: false, owner: null });
    expect((await node.call("DELETE /api/containers/networks/back")).body).toMatchObject({ code: "network_in_use" });
    expect((await node.call("DELETE /api/containers/networks/bridge")).body).toMatchObject({
      code: "network_built_in",
    });
    await engine.docker("rm", "worker");
    expect((await node.call("DELETE /api/containers/networks/back")).status).toBe(200);
    expect(await back()).toBeUndefined();
  });

  test("making room takes unused images, and neither volumes nor what is used", async () => {
    await engine.docker("pull", testEnv().images.crash);
    await engine.docker("tag", testEnv().images.crash, "old:1");
    await engine.docker("tag", testEnv().images.crash, "old:2");
    await engine.docker("create", "--name", "keeps", "-v", "keeps-data:/data", web);
    await engine.docker("volume", "create", "lonely");
    const volumes = await names("volumes");
    const { body } = await node.call("POST /api/containers/images/prune");
    expect(body.removed.length).toBeGreaterThan(0);
    expect(body.size_bytes).toBeGreaterThan(0);
    const left = (await node.call("GET /api/containers/images")).body;
    expect(left.map((each: { used_by: string[] }) => each.used_by)).toEqual([["keeps"]]);
    expect(await names("volumes")).toEqual(volumes);
    expect((await node.call("POST /api/containers/images/prune")).body).toEqual({ removed: [], size_bytes: 0 });
    expect((await node.call("DELETE /api/containers/volumes/lonely")).status).toBe(200);
    expect((await node.call("DELETE /api/containers/volumes/lonely")).body).toMatchObject({ code: "volume_not_found" });
    expect(await audited()).toContain("volume.removed volume:lonely");
    await engine.docker("rm", "keeps");
  });

  test("a container is run from an image that is pulled for it, and what does not start leaves nothing", async () => {
    const { crash } = testEnv().images;
    const { body } = await node.call("POST /api/containers", {
      image: crash,
      name: "made",
      command: ["sleep", "600"],
      environment: { API_TOKEN: "hunter2" },
      ports: [{ container: 80, host: 18098 }],
      volumes: [{ name: "made-data", path: "/data" }],
      memory_mb: 32,
    });
    expect(await ended(body.op_id)).toMatchObject({ kind: "container.run", status: "done" });
    const made = (await node.call("GET /api/containers/made")).body;
    expect(made).toMatchObject({
      restart_policy: "unless-stopped",
      memory_limit_bytes: 32 * 2 ** 20,
      privileged: false,
    });
    expect(made.mounts).toEqual([{ kind: "volume", source: "made-data", target: "/data", read_only: false }]);
    expect((await audited())[0]).toBe(`container.made container:${made.id}`);
    const events = await (
      await node.handle(
        new Request(`http://localhost/api/operations/${body.op_id}/events?from=0`, { headers: node.headers }),
      )
    ).text();
    expect(events + JSON.stringify(await node.eventsOf("container.made"))).not.toContain("hunter2");
    const again = await node.call("POST /api/containers", { image: crash, name: "made" });
    expect(again.body).toMatchObject({ code: "container_name_taken" });
    const namedLikeAnId = made.id.slice(0, 6);
    const free = await node.call("POST /api/containers", { image: crash, name: namedLikeAnId });
    expect(await ended(free.body.op_id)).toMatchObject({ status: "done" });
    await engine.docker("rm", "-f", namedLikeAnId);
    const clash = await node.call("POST /api/containers", {
      image: crash,
      name: "clash",
      command: ["/there-is-none"],
      volumes: [{ name: "made-data", path: "/data" }],
    });
    expect(await ended(clash.body.op_id)).toMatchObject({
      status: "failed",
      error: { code: "container_not_run", message: expect.stringContaining("/there-is-none") },
    });
    expect(await find("clash")).toBeUndefined();
    const label = ["--label", "orrery.app=app_x", "--label", "orrery.node=another"];
    await engine.docker("volume", "create", ...label, "theirs");
    const taken = { image: crash, name: "thief", volumes: [{ name: "theirs", path: "/data" }] };
    expect((await node.call("POST /api/containers", taken)).body).toMatchObject({ code: "owned_by_other_node" });
    await engine.docker("rm", "-f", "made");
  });

  test("whoever looks is told of changes from elsewhere", async () => {
    const told = async () => (await node.eventsOf("containers.changed")).length;
    await until(async () => (await told()) > 0, { what: "what came before" });
    const before = await told();
    await engine.docker("create", "--name", "fresh", web);
    await until(async () => (await told()) > before, { what: "the change" });
    await engine.docker("rm", "fresh");
  });
});
