import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Fate } from "../../../../tests/kit/compose-engine.ts";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import { inheritedMounts } from "./inherited-volumes.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

/** A node that goes on where the one before was killed, and dies at one of its own questions, or lives if it asks fewer. */
async function startAndKill(at: number): Promise<void> {
  const from = world.engine.count();
  let isDead = false;
  world.engine.fateOf = (count) => {
    if (count !== from + at) return "answer";
    isDead = true;
    return "die-before";
  };
  await world.startNode();
  await world.passes(() => isDead || !world.isBusy());
  world.engine.fateOf = () => "answer";
}

const OLD = `services:
  web:
    image: web:1
    ports: ["8080:80"]
    depends_on: [store]
    networks: [front, back]
  store:
    image: store:1
    volumes: ["data:/data"]
    networks: [back]
  mailer: { image: mailer:1, networks: [back] }
  gone: { image: gone:1, ports: ["9090:90"] }
volumes: { data: {} }
networks: { front: {}, back: {} }
`;
/** A port that goes over, a service that goes, one that comes, one that changes, a network that is made anew. */
const NEW = `services:
  web:
    image: web:2
    ports: ["8080:80"]
    depends_on: [store]
    networks: [front, back]
  store:
    image: store:2
    volumes: ["data:/data"]
    networks: [back]
  mailer: { image: mailer:1, networks: [back] }
  come: { image: come:2, ports: ["9090:90"], networks: [back] }
volumes: { data: {} }
networks: { front: {}, back: { internal: true } }
`;

const NAMES = { old: ["gone", "mailer", "store", "web"], new: ["come", "mailer", "store", "web"] };

/** Which of both files the engine is in line with, in every respect; else what it has instead. */
function whatRuns(): unknown {
  const containers = world.engine.containers();
  for (const which of ["old", "new"] as const) {
    const version = which === "old" ? "1" : "2";
    const wanted = NAMES[which].map((service) => ({
      name: `shop-${service}-1`,
      status: "running",
      image: `${service}:${service === "mailer" ? "1" : version}`,
      env: [],
      networks: { web: ["shop_back", "shop_front"], gone: ["shop_default"] }[service as "web"] ?? ["shop_back"],
    }));
    const networks = [
      { name: "shop_back", internal: which === "new" },
      { name: "shop_front", internal: false },
    ];
    // A network that nobody is in any more may stay where Docker did not let it go.
    const used = world.engine.networks().filter(({ name }) => name !== "shop_default");
    if (Bun.deepEquals([containers, used], [wanted, networks])) return which;
  }
  return { containers, networks: world.engine.networks() };
}

test("a change takes the place of what ran, with its ports, networks and names", async () => {
  expect(await world.deploy(OLD)).toMatchObject({ status: "done", error: null });
  expect(whatRuns()).toBe("old");
  expect(await world.deploy(NEW)).toMatchObject({ status: "done", error: null });
  expect(whatRuns()).toBe("new");
  expect(world.engine.networks().map(({ name }) => name)).toEqual(["shop_back", "shop_front"]);
  expect(await world.text()).toBe(NEW);
  expect(world.isBusy()).toBe(false);
  world.engine.forget();
  expect((await world.deploy(NEW)).status).toBe("done");
  expect(world.engine.asked).toEqual([]);
});

test("the plan tells of networks that are made anew, and a volume that would lose its data is refused", async () => {
  await world.deploy(OLD);
  const parts = (await world.plan(NEW)).parts.map(({ name, action, changed }: Record<string, unknown>) => [
    name,
    action,
    changed,
  ]);
  expect(parts).toEqual([
    ["front", "keep", []],
    ["back", "change", ["internal"]],
    ["default", "remove", []],
    ["data", "keep", []],
  ]);
  const other = OLD.replace("data: {}", "data: { driver_opts: { type: tmpfs, device: tmpfs } }");
  expect(await world.plan(other)).toMatchObject({
    hash: null,
    problems: [{ key: "volumes.data", line: 13, message: expect.stringContaining("driver_opts") }],
  });
});

test("what does not stay up gives way to what ran, and its file is kept beside", async () => {
  await world.deploy(OLD);
  world.engine.broken.add("web:2");
  const { status, error } = await world.deploy(NEW);
  expect({ status, code: error?.code }).toEqual({ status: "failed", code: "compose_not_up" });
  expect(error?.message).toContain("web ended with exit code 3");
  expect(error?.message).toContain("What was there before runs again.");
  expect(whatRuns()).toBe("old");
  const { body } = await world.call("GET /api/containers/compose/shop");
  expect({ file: body.file, draft: body.draft }).toEqual({ file: OLD, draft: { file: NEW, env: "", files: [] } });
  world.engine.broken.clear();
  expect((await world.deploy(NEW)).status).toBe("done");
  expect((await world.call("GET /api/containers/compose/shop")).body).toMatchObject({ file: NEW, draft: null });
});

test("a first deploy that fails stays to be looked at and corrected", async () => {
  world.engine.broken.add("web:1");
  expect(await world.deploy(OLD)).toMatchObject({ status: "failed", error: { code: "compose_not_up" } });
  expect(world.engine.containers().map(({ name }) => name)).toContain("shop-web-1");
  expect(await world.text()).toBe(OLD);
  world.engine.broken.clear();
  expect((await world.deploy(OLD)).status).toBe("done");
  expect(whatRuns()).toBe("old");
});

test("start, stop and restart follow what the services wait for", async () => {
  const file = `services:
  a: { image: a:1, depends_on: { b: { condition: service_healthy } } }
  b: { image: b:1, depends_on: [c] }
  c: { image: c:1 }
`;
  world.engine.health.set("b:1", "healthy");
  expect((await world.deploy(file)).status).toBe("done");
  const orderOf = async (verb: string) => {
    world.engine.forget();
    const { op_id } = (await world.call(`POST /api/containers/compose/shop/${verb}`)).body;
    const { status, error } = await world.end(op_id);
    return [status, error?.code ?? null, ...world.engine.asked.map((each) => each.replace(/^.*shop-(.)-1.*$/, "$1"))];
  };
  expect(await orderOf("stop")).toEqual(["done", null, "a", "b", "c"]);
  expect(await orderOf("start")).toEqual(["done", null, "c", "b", "a"]);
  expect(await orderOf("restart")).toEqual(["done", null, "c", "b", "a"]);
  await orderOf("stop");
  world.engine.health.set("b:1", "starting");
  expect(await orderOf("start")).toEqual(["failed", "compose_dependency", "c", "b"]);
});

test("a folder of the project that a link leads out of is refused", async () => {
  const file = (path: string) => `services:
  web:
    image: web:1
    volumes: ["./${path}:/data"]
`;
  expect((await world.deploy(file("data"))).status).toBe("done");
  const folder = join(world.node.dataDir, "compose/shop");
  mkdirSync(join(folder, "data"));
  symlinkSync("/etc", join(folder, "data/out"));
  for (const path of ["data/out", "data/out/ssh", "data/out/none/deeper"])
    expect(await world.plan(file(path))).toMatchObject({
      hash: null,
      problems: [{ key: "services.web.volumes", line: 4, message: expect.stringContaining("to /etc") }],
    });
  // Those of the project hold its texts, and a link to them would hand them over.
  const files = [{ path: "conf/app.env", text: "A=1" }];
  const places = { folder: "..", text: "../.env", inner: "../conf", file: "../conf/app.env", whole: folder };
  for (const [name, to] of Object.entries(places)) {
    symlinkSync(to, join(folder, "data", name));
    const { problems } = await world.plan(file(`data/${name}`), files);
    expect(problems).toMatchObject([{ key: "services.web.volumes", message: expect.stringContaining("leads") }]);
  }
  symlinkSync("../fine", join(folder, "data/fine"));
  expect((await world.plan(file("data/fine"), files)).problems).toEqual([]);
  expect((await world.plan(file("data/other"))).problems).toEqual([]);
  await world.end((await world.call("DELETE /api/containers/compose/shop")).body.op_id);
  expect(readdirSync(folder)).toEqual(["data"]);
  expect((await world.call("GET /api/containers/compose")).body).toEqual([]);
});

test("a first deploy that is cut off is done once more", async () => {
  for (const at of [4, 9, 14]) {
    const id = await world.begin(OLD);
    const from = world.engine.count();
    let isMet = false;
    world.engine.fateOf = (count) => {
      isMet ||= count === from + at;
      return isMet ? "die-after" : "answer";
    };
    await world.passes(() => isMet);
    world.engine.fateOf = () => "answer";
    await world.startNode();
    await world.passes(() => !world.isBusy());
    expect(world.operation(id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await world.text()).toBe(OLD);
    expect((await world.deploy(OLD)).status).toBe("done");
    expect(whatRuns()).toBe("old");
    await world.end((await world.call("DELETE /api/containers/compose/shop?volumes=true")).body.op_id);
    expect(world.engine.containers()).toEqual([]);
  }
});

test("volumes that nobody has named go over to the container that takes the place", () => {
  const volume = "a".repeat(64);
  const mounts = [
    { Type: "volume", Name: volume, Source: "", Destination: "/var/lib/data", RW: true },
    { Type: "volume", Name: "b".repeat(64), Source: "", Destination: "/named", RW: true },
    { Type: "volume", Name: "shop_data", Source: "", Destination: "/else", RW: true },
  ];
  const former = { Id: "x", Names: [], Image: "", State: "", Labels: {}, Mounts: mounts };
  const named = { Type: "volume", Source: "shop_named", Target: "/named" };
  expect(inheritedMounts({ HostConfig: { Mounts: [named] } }, former)).toEqual({
    HostConfig: {
      Mounts: [named, { Type: "volume", Source: volume, Target: "/var/lib/data", ReadOnly: false }],
    },
  });
});

test("newer images of the same name are asked for, and only what has one is made anew", async () => {
  await world.deploy(OLD);
  world.engine.forget();
  const { hash } = await world.plan(OLD);
  world.engine.newer.add("store:1");
  const body = { name: "shop", file: OLD, plan: hash, pull: true };
  expect(await world.end((await world.call("POST /api/containers/compose", body)).body.op_id)).toMatchObject({
    status: "done",
  });
  expect(world.engine.asked.filter((each) => each.startsWith("POST images"))).toHaveLength(4);
  expect(world.engine.asked.filter((each) => each.endsWith(" start"))).toEqual(["POST containers shop-store-1 start"]);
  expect(whatRuns()).toBe("old");
  expect(world.node.events.findLast(({ name }) => name === "compose.deployed")?.data).toMatchObject({
    changed: ["store"],
  });
});

/** Deploys the change with one question to the engine meeting that fate; how many questions there were before it. */
async function meet(fate: Fate, at: number): Promise<"met" | "not reached"> {
  const id = await world.begin(NEW);
  const from = world.engine.count();
  let isMet = false;
  world.engine.fateOf = (count) => {
    if (count !== from + at) return "answer";
    isMet = true;
    return fate;
  };
  const isDeath = fate.startsWith("die");
  await world.passes(() => world.operation(id).status !== "running" || (isDeath && isMet));
  world.engine.fateOf = () => "answer";
  return isMet ? "met" : "not reached";
}

// Every third question meets each of the fates; all of them at all questions take half a minute.
const STEP = process.env["COMPOSE_KILLS"] === "all" ? 1 : 3;

test.each([
  ["die-before", 1],
  ["die-after", 2],
  ["refuse", 3],
] as const)(
  "at whatever question a deploy is cut off (%s), it ends on the old or on the new",
  async (fate, first) => {
    let met = 0;
    const ends = new Set<unknown>();
    for (let at = STEP === 1 ? 1 : first; ; at += STEP) {
      if (whatRuns() !== "old") expect(await world.deploy(OLD)).toMatchObject({ status: "done" });
      if ((await meet(fate, at)) === "not reached") break;
      met += 1;
      if (fate !== "refuse") {
        // The one before is left where it stands, as a killed process is; so is one that dies while it brings things back.
        if (fate === "die-after") await startAndKill(1 + (at % 11));
        await world.startNode();
        await world.passes(() => !world.isBusy());
      }
      const runs = whatRuns();
      ends.add(runs);
      expect([at, runs]).toEqual([at, expect.stringMatching(/^(old|new)$/)]);
      expect([at, await world.text()]).toEqual([at, runs === "old" ? OLD : NEW]);
    }
    expect(met).toBeGreaterThan(15);
    expect(ends).toContain("old");
  },
  60_000,
);
