import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

/** What ran is somebody else's now. */
function disown(...services: string[]): void {
  for (const service of services) world.engine.disown(`shop-${service}-1`);
  rmSync(join(world.node.dataDir, "compose"), { recursive: true });
}

const RICH = `services:
  web:
    image: web:1
    command: [serve, --all]
    entrypoint: /start
    environment: { A: "1" }
    user: "1000"
    working_dir: /srv
    hostname: web1
    labels: { team: blue }
    healthcheck: { test: [CMD, "true"], interval: 10s }
    stop_signal: SIGQUIT
    stop_grace_period: 1m
    tty: true
    ports: ["8080:80", "127.0.0.1:53:53/udp"]
    restart: on-failure:3
    volumes: ["data:/data:ro", "/srv/www:/www"]
    tmpfs: /run
    networks: { front: { aliases: [site] } }
    privileged: true
    pid: host
    mem_limit: 512m
    cpus: 1.5
    pids_limit: 100
    security_opt: ["no-new-privileges:true"]
    cap_add: [NET_ADMIN]
    cap_drop: [ALL]
    read_only: true
    shm_size: 128m
    ulimits: { nofile: 1024 }
    sysctls: { net.core.somaxconn: "1024" }
    devices: [/dev/fuse]
    init: true
    extra_hosts: ["db:10.0.0.7"]
    group_add: ["44"]
volumes: { data: {} }
networks: { front: {} }
`;

test("a project that runs already is taken over without a restart, and let go of again", async () => {
  await world.deploy(RICH);
  disown("web");
  const { body } = await world.call("GET /api/containers/compose");
  expect(body).toMatchObject([{ name: "shop", managed: false }]);
  expect(await world.plan(RICH)).toMatchObject({ adopts: true, actions: [{ action: "keep", service: "web" }] });
  world.engine.forget();
  expect((await world.deploy(RICH)).status).toBe("done");
  expect(world.engine.asked).toEqual([]);
  expect(world.node.events.filter(({ name }) => name === "compose.adopted")).toHaveLength(1);
  expect((await world.call("GET /api/containers/compose/shop")).body).toMatchObject({ managed: true, file: RICH });
  expect(await world.plan(RICH)).toMatchObject({ adopts: false });

  expect((await world.call("POST /api/containers/compose/shop/eject")).status).toBe(204);
  expect(world.engine.asked).toEqual([]);
  const path = join(world.node.dataDir, "compose/shop/compose.yaml");
  const gone = (await world.call("GET /api/containers/compose/shop")).body;
  expect(gone).toMatchObject({ managed: false, file: null, found: { path, file: RICH } });
  expect((await world.call("POST /api/containers/compose/shop/stop")).body.code).toBe("compose_project_not_found");
  expect((await world.deploy(gone.found.file)).status).toBe("done");
  expect(world.engine.asked).toEqual([]);
  expect((await world.call("GET /api/containers/compose/shop")).body).toMatchObject({ managed: true, found: null });
});

test("whatever of a running project is other than the file is named, and nothing else", async () => {
  await world.deploy(RICH);
  disown("web");
  const lines = RICH.split("\n");
  const from = lines.indexOf("    image: web:1") + 1;
  const to = lines.indexOf("volumes: { data: {} }");
  for (let index = from; index < to; index++) {
    const [, key = ""] = /^ {4}([a-z_]+):/.exec(lines[index] ?? "") ?? [];
    const [action] = (await world.plan(lines.toSpliced(index, 1).join("\n"))).actions;
    const names = { tmpfs: "volumes", volumes: "volumes" }[key as "tmpfs"] ?? key;
    expect([key, action.action, action.changed]).toEqual([key, "change", [names]]);
  }
});

const GIVEN = `services:
  web:
    image: web:1
    configs: [{ source: site, target: /etc/site.conf, mode: 0644 }]
    secrets: [password]
configs: { site: { content: "server web;" } }
secrets: { password: { file: ./secrets/password } }
`;

test("texts and files that a service is given are there before it starts, and another text makes it anew", async () => {
  const [missing] = (await world.plan(GIVEN)).problems;
  expect(missing).toMatchObject({
    line: 2,
    key: "services.web",
    message: expect.stringContaining("./secrets/password"),
  });
  mkdirSync(join(world.node.dataDir, "compose/shop/secrets"), { recursive: true });
  writeFileSync(join(world.node.dataDir, "compose/shop/secrets/password"), "s3cret");
  expect(await world.deploy(GIVEN)).toMatchObject({ status: "done" });
  expect(world.engine.fileOf("shop-web-1", "/etc/site.conf")).toBe("server web;");
  expect(world.engine.asked.join("\n")).toMatch(
    /PUT containers shop-web-1 archive\n(.*\n)*POST containers shop-web-1 start/,
  );
  const other = GIVEN.replace("server web", "server www");
  expect((await world.plan(other)).actions).toMatchObject([{ action: "change", changed: ["configs"] }]);
  expect(await world.deploy(other)).toMatchObject({ status: "done" });
  expect(world.engine.fileOf("shop-web-1", "/etc/site.conf")).toBe("server www;");
  // The digest of the text is no digest that a reader of labels could guess with.
  expect((await world.plan(other)).actions).toMatchObject([{ action: "keep" }]);
});

test("a project of somebody else with the same texts goes on, with other texts it is made anew", async () => {
  mkdirSync(join(world.node.dataDir, "compose/shop/secrets"), { recursive: true });
  writeFileSync(join(world.node.dataDir, "compose/shop/secrets/password"), "s3cret");
  await world.deploy(GIVEN);
  world.engine.disown("shop-web-1");
  expect((await world.plan(GIVEN)).actions).toMatchObject([{ action: "keep" }]);
  const other = GIVEN.replace("server web", "server www");
  expect((await world.plan(other)).actions).toMatchObject([{ action: "change", changed: ["configs"] }]);
});

test("a container that a cut-off first deploy made gets its texts before it is started", async () => {
  const file = GIVEN.replace("secrets: [password]", "").replace(/secrets: .*/, "");
  let isCut = false;
  world.engine.fateOf = () => {
    const isMade = world.engine.asked.includes("POST containers create");
    isCut ||= isMade;
    return isMade ? "die-before" : "answer";
  };
  await world.begin(file);
  await world.passes(() => isCut);
  world.engine.fateOf = () => "answer";
  await world.startNode();
  await world.passes(() => !world.isBusy());
  expect(world.engine.containers()).toMatchObject([{ name: "shop-web-1", status: "created" }]);
  expect(world.engine.fileOf("shop-web-1", "/etc/site.conf")).toBeNull();
  expect(await world.deploy(file)).toMatchObject({ status: "done" });
  expect(world.engine.fileOf("shop-web-1", "/etc/site.conf")).toBe("server web;");
});

test("networks and volumes of somebody else are joined and never made, and have to be there", async () => {
  const file = `services:
  web: { image: web:1, networks: [default, proxy], volumes: ["music:/music"] }
networks: { proxy: { external: true, name: public } }
volumes: { music: { external: true } }
`;
  const problems = (await world.plan(file)).problems.map(({ key }: { key: string }) => key);
  expect(problems).toEqual(["networks.proxy", "volumes.music"]);
  const engine = world.node.ctx.runtime.requireEngine();
  const input = { name: "public", labels: {}, isInternal: false, options: {}, hasIpv6: false, subnets: [] };
  await engine.createNetwork(input);
  await engine.createVolume("music", {}, {});
  const plan = await world.plan(file);
  expect(plan.dangers.map(({ id }: { id: string }) => id)).toEqual(["web/foreign_volume:music"]);
  expect(plan.notes.map(({ text }: { text: string }) => text)).toEqual([expect.stringContaining("the network public")]);
  expect(await world.deploy(file)).toMatchObject({ status: "done" });
  expect(world.engine.containers()).toMatchObject([{ networks: ["public", "shop_default"] }]);
  expect(world.engine.networks().map(({ name }) => name)).toEqual(["public", "shop_default"]);
  // A name alone is no way to the data of others.
  const named = file.replace("music: { external: true }", "music: { name: music }");
  expect((await world.plan(named)).problems).toMatchObject([{ key: "volumes.music" }]);
});

test("a project whose words add up to the name of another one's volume gets none of its data", async () => {
  const file = 'services:\n  web: { image: web:1, volumes: ["b_c:/data"] }\nvolumes: { b_c: {} }\n';
  const engine = world.node.ctx.runtime.requireEngine();
  await engine.createVolume("shop_b_c", { "com.docker.compose.project": "shop_b" }, {});
  expect((await world.plan(file)).problems).toMatchObject([
    { key: "volumes.b_c", message: expect.stringContaining("another volume") },
  ]);
});

test("what an app has is no network and no volume of somebody else", async () => {
  const file = (name: string) => `services:
  web: { image: web:1, networks: [${name}], volumes: ["${name}:/data"] }
networks: { ${name}: { external: true } }
volumes: { ${name}: { external: true } }
`;
  const { problems } = await world.plan(file("orrery-vault"));
  expect(problems).toMatchObject([
    { key: "networks.orrery-vault", message: "orrery-vault is no free name" },
    { key: "volumes.orrery-vault", message: "orrery-vault is no free name" },
  ]);
});
