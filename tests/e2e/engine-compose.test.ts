import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { until } from "../kit/until.ts";

suite("Compose projects on a real engine", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let web: string;
  beforeAll(async () => {
    web = testEnv().images.web;
    engine = await startOwnEngine(96);
    node = await startEngineNode({ socket: engine.socket });
  });
  afterAll(async () => {
    await node.stop();
    wipe(node.dataDir);
    await engine.dispose();
  });

  const file = (colour: string) => `services:
  web:
    image: ${web}
    environment: { COLOUR: "${colour}" }
    ports: ["127.0.0.1:18231:8080"]
    depends_on: [store]
    networks: [front, back]
  store:
    image: ${web}
    volumes: ["data:/data"]
    networks: [back]
volumes: { data: {} }
networks: { front: {}, back: {} }
`;
  const ended = (opId: string) =>
    until(
      async () => {
        const { body } = await node.call(`GET /api/operations/${opId}`);
        return body.status === "running" ? null : body;
      },
      { timeoutMs: 60_000, what: `the end of ${opId}` },
    );
  const plan = async (text: string, name = "shop") =>
    (await node.call("POST /api/containers/compose/plan", { name, file: text })).body;
  async function deploy(text: string, confirmed: string[] = []) {
    const { hash } = await plan(text);
    const body = { name: "shop", file: text, plan: hash, confirmed };
    const answer = await node.call("POST /api/containers/compose", body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return ended(answer.body.op_id);
  }
  const services = async (): Promise<Record<string, string>[]> =>
    (await node.call("GET /api/containers/compose")).body.find(({ name }: { name: string }) => name === "shop")
      ?.services;

  test("what the plan shows is done, and nothing that changed since", async () => {
    const shown = await plan(file("red"));
    expect(shown.problems).toEqual([]);
    expect(shown.actions.map(({ action, service }: Record<string, string>) => [action, service])).toEqual([
      ["create", "store"],
      ["create", "web"],
    ]);
    const stale = { name: "shop", file: file("blue"), plan: shown.hash };
    expect((await node.call("POST /api/containers/compose", stale)).body.code).toBe("compose_plan_changed");
    expect(await deploy(file("red"))).toMatchObject({ kind: "compose.deploy", status: "done", error: null });
    expect((await services()).map(({ name, state }) => [name, state])).toEqual([
      ["store", "running"],
      ["web", "running"],
    ]);
    const seen = JSON.parse(await engine.docker("inspect", "shop-web-1"))[0];
    expect(seen.Config.Labels).toMatchObject({
      "com.docker.compose.project": "shop",
      "com.docker.compose.service": "web",
      "com.docker.compose.project.working_dir": join(node.dataDir, "compose/shop"),
    });
    expect(Object.keys(seen.NetworkSettings.Networks).toSorted()).toEqual(["shop_back", "shop_front"]);
    expect(readFileSync(join(node.dataDir, "compose/shop/compose.yaml"), "utf8")).toBe(file("red"));
  });

  test("a new deploy touches what changed and leaves the rest running", async () => {
    const before = await services();
    const { actions } = await plan(file("green"));
    expect(actions).toEqual([
      expect.objectContaining({ action: "keep", service: "store" }),
      expect.objectContaining({ action: "change", service: "web", changed: ["environment"] }),
    ]);
    expect((await deploy(file("green"))).status).toBe("done");
    const after = await services();
    const idOf = (list: Record<string, string>[], name: string) =>
      list.find((one) => one["name"] === name)?.["container_id"];
    expect(idOf(after, "store")).toBe(idOf(before, "store"));
    expect(idOf(after, "web")).not.toBe(idOf(before, "web"));
    expect(await deploy(file("green"))).toMatchObject({ status: "done" });
    expect(await services()).toMatchObject(after.map(({ container_id }) => ({ container_id })));
  });

  test("a network that changed is made anew around what runs, and what does not stay up gives way", async () => {
    const before = await services();
    const inner = file("green").replace("back: {}", "back: { internal: true }");
    const { actions, parts } = await plan(inner);
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(["keep", "keep"]);
    expect(parts).toContainEqual(expect.objectContaining({ name: "back", action: "change", changed: ["internal"] }));
    expect(await deploy(inner)).toMatchObject({ status: "done" });
    expect(await services()).toMatchObject(before.map(({ container_id }) => ({ container_id, state: "running" })));
    expect(JSON.parse(await engine.docker("network", "inspect", "shop_back"))[0].Internal).toBe(true);
    const members = JSON.parse(await engine.docker("inspect", "shop-web-1"))[0].NetworkSettings.Networks;
    expect(members.shop_back.Aliases).toContain("web");

    const broken = file("green").replace("depends_on: [store]", "command: [/nowhere]");
    expect(await deploy(broken)).toMatchObject({ status: "failed", error: { code: "compose_refused" } });
    expect(await services()).toMatchObject(before.map(({ container_id }) => ({ container_id, state: "running" })));
    expect(JSON.parse(await engine.docker("network", "inspect", "shop_back"))[0].Internal).toBe(true);
    expect(readFileSync(join(node.dataDir, "compose/shop/compose.yaml"), "utf8")).toBe(inner);
  });

  test("power over the server is confirmed first, and a mistake is told with its line", async () => {
    const powerful = file("green").replace("    networks: [back]\n", "    networks: [back]\n    privileged: true\n");
    const { hash, dangers } = await plan(powerful);
    expect(dangers.map(({ id }: { id: string }) => id)).toEqual(["store/privileged"]);
    const body = { name: "shop", file: powerful, plan: hash };
    expect((await node.call("POST /api/containers/compose", body)).body.code).toBe("compose_unconfirmed");
    const wrong = await plan(file("green").replace("environment:", "enviroment:"));
    expect(wrong).toMatchObject({ hash: null, problems: [{ key: "services.web.enviroment", line: 4 }] });
  });

  test("what somebody else started is taken over as it runs, and let go of again", async () => {
    const label = (key: string, value: string) => ["--label", `com.docker.compose.${key}=${value}`];
    const mine = label("project", "theirs");
    await engine.docker("network", "create", ...mine, ...label("network", "default"), "theirs_default");
    await engine.docker("volume", "create", ...mine, ...label("volume", "data"), "theirs_data");
    const run = ["run", "-d", "--name", "theirs-web-1", "--network", "theirs_default", "--network-alias", "web"];
    const more = ["-e", "COLOUR=red", "-p", "127.0.0.1:18232:8080", "-v", "theirs_data:/data", "--restart", "always"];
    await engine.docker(...run, ...more, ...mine, ...label("service", "web"), web);
    const known = async () =>
      (await node.call("GET /api/containers/compose")).body.find(({ name }: { name: string }) => name === "theirs");
    expect(await known()).toMatchObject({ managed: false });
    expect((await node.call("DELETE /api/containers/compose/theirs")).status).toBe(404);

    const text = (colour: string) => `services:
  web:
    image: ${web}
    restart: always
    environment: { COLOUR: ${colour} }
    ports: ["127.0.0.1:18232:8080"]
    volumes: ["data:/data"]
volumes: { data: {} }
`;
    expect((await plan(text("blue"), "theirs")).actions).toMatchObject([
      { action: "change", changed: ["environment"] },
    ]);
    const shown = await plan(text("red"), "theirs");
    expect(shown).toMatchObject({ adopts: true, actions: [{ action: "keep" }] });
    const state = async () => JSON.parse(await engine.docker("inspect", "theirs-web-1"))[0].State.StartedAt;
    const before = await state();
    const body = { name: "theirs", file: text("red"), plan: shown.hash };
    const { op_id } = (await node.call("POST /api/containers/compose", body)).body;
    expect(await ended(op_id)).toMatchObject({ status: "done" });
    expect(await known()).toMatchObject({ managed: true });
    expect((await node.call("POST /api/containers/compose/theirs/eject")).status).toBe(204);
    expect(await known()).toMatchObject({ managed: false });
    expect(await state()).toBe(before);
    await engine.docker("rm", "-f", "theirs-web-1");
  });

  test("an image that says that it is of a project makes no container so, unless Compose does too", async () => {
    const label = (key: string, value: string) => ["--label", `com.docker.compose.${key}=${value}`];
    const mine = [...label("project", "built"), ...label("service", "web")];
    await engine.docker("create", "--name", "mould", web);
    const changes = ["project=built", "service=web"].flatMap((one) => ["--change", `LABEL com.docker.compose.${one}`]);
    await engine.docker("commit", ...changes, "mould", "built-web:1");
    await engine.docker("create", "--name", "claims", ...mine, "built-web:1");
    const started = await node.call("POST /api/containers", { image: "built-web:1", name: "alone" });
    expect((await ended(started.body.op_id)).status).toBe("done");
    const labels = JSON.parse(await engine.docker("inspect", "alone"))[0].Config.Labels;
    expect(labels).toMatchObject({ "com.docker.compose.project": "", "com.docker.compose.service": "" });
    const built = async () =>
      (await node.call("GET /api/containers/compose")).body.find(({ name }: { name: string }) => name === "built");
    expect(await built()).toBeUndefined();
    const text = "services:\n  web: { image: built-web:1 }\n";
    const shown = await plan(text, "built");
    expect(shown.notes).toEqual([{ service: "", text: expect.stringMatching(/only their images say .*: claims\.$/) }]);
    const body = { name: "built", file: text, plan: shown.hash };
    const { op_id } = (await node.call("POST /api/containers/compose", body)).body;
    expect(await ended(op_id)).toMatchObject({ status: "done", error: null });
    const made = JSON.parse(await engine.docker("inspect", "built-web-1"))[0];
    expect(made.Config.Labels["com.docker.compose.image"]).toBe(made.Image);
    await engine.docker("create", "--name", "by-compose", ...mine, ...label("config-hash", "0"), "built-web:1");
    const names = async () => (await built()).services.map(({ container }: { container: string }) => container);
    expect(await names()).toEqual(["built-web-1", "by-compose"]);
    const removed = await node.call("DELETE /api/containers/compose/built");
    expect((await ended(removed.body.op_id)).status).toBe("done");
    expect(await engine.docker("ps", "-a", "--format", "{{.Names}}")).not.toMatch(/built-web-1|by-compose/);
    await engine.docker("rm", "-f", "claims", "alone", "mould");
    await engine.docker("rmi", "built-web:1");
  });

  test("texts and files are in a container with their owners and bits before it starts, and stay where they were", async () => {
    const folder = join(node.dataDir, "compose/given");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "key.pem"), "of the server");
    const text = `services:
  web:
    image: ${web}
    configs: [{ source: site, target: /etc/deep/er/site.conf, mode: 0640, uid: "7", gid: "8" }, motd]
    secrets: [password, { source: key, target: /key.pem }]
configs:
  site: { content: "server web;" }
  motd: { content: "" }
secrets:
  password: { environment: PASSWORD }
  key: { file: ./key.pem }
`;
    const body = { name: "given", file: text, env: "PASSWORD=s3cret\n" };
    const shown = (await node.call("POST /api/containers/compose/plan", body)).body;
    expect(shown).toMatchObject({ problems: [], dangers: [] });
    const { op_id } = (await node.call("POST /api/containers/compose", { ...body, plan: shown.hash })).body;
    expect(await ended(op_id)).toMatchObject({ status: "done", error: null });
    const read = async (path: string) => {
      await engine.docker("cp", `given-web-1:${path}`, join(folder, "out"));
      return readFileSync(join(folder, "out"), "utf8");
    };
    expect(await read("/etc/deep/er/site.conf")).toBe("server web;");
    expect(await read("/motd")).toBe("");
    expect(await read("/run/secrets/password")).toBe("s3cret");
    expect(await read("/key.pem")).toBe("of the server");
    // The header of the archive: bits, owner and group in octal.
    const header = await engine.docker("cp", "given-web-1:/etc/deep/er/site.conf", "-");
    expect([100, 108, 116].map((at) => Number.parseInt(header.slice(at, at + 7), 8) & 0o777)).toEqual([0o640, 7, 8]);
    const inspected = await engine.docker("inspect", "given-web-1");
    expect(inspected).not.toContain("s3cret");
    const again = (await node.call("POST /api/containers/compose/plan", body)).body;
    expect(again.actions).toMatchObject([{ action: "keep" }]);
    const removed = await node.call("DELETE /api/containers/compose/given?volumes=true");
    expect((await ended(removed.body.op_id)).status).toBe("done");
  });

  test("a project stops, starts and goes; its data stays until somebody says otherwise", async () => {
    for (const [verb, state] of [
      ["stop", "exited"],
      ["start", "running"],
    ] as const) {
      const { body } = await node.call(`POST /api/containers/compose/shop/${verb}`);
      expect((await ended(body.op_id)).status).toBe("done");
      expect((await services()).map((one) => one["state"])).toEqual([state, state]);
    }
    const removed = await node.call("DELETE /api/containers/compose/shop");
    expect((await ended(removed.body.op_id)).status).toBe("done");
    expect(await services()).toBeUndefined();
    expect(await engine.docker("volume", "ls", "-q")).toContain("shop_data");
    expect(existsSync(join(node.dataDir, "compose/shop"))).toBe(false);
  });
});
