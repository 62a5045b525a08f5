import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

const folder = () => join(world.node.dataDir, "compose/shop");

/** Two services with these lines each; `FOLDER` is that of the project. */
const two = (a: string, b: string, more = "") =>
  `services:\n  a:\n    image: a:1\n    ${a}\n  b:\n    image: b:1\n    ${b}\n${more}`.replaceAll("FOLDER", folder());

async function idsOf(file: string): Promise<string[]> {
  const { dangers, problems } = await world.plan(file);
  expect(problems).toEqual([]);
  return dangers.map(({ id }: { id: string }) => id).filter((id: string) => id.includes("/nested_path:"));
}

const DATA = 'volumes: ["./data:/data"]';
const SUB = 'volumes: ["./data/sub:/sub"]';
const ID = "b/nested_path:./data/sub";
const volumeAt = (path: string) => `volumes: { v: { driver_opts: { type: none, o: bind, device: "${path}" } } }\n`;

describe("what lies in a folder that a container may write to is a danger", () => {
  test.each([
    ["in short", DATA, SUB, "", [ID]],
    ["to be read only", DATA, 'volumes: ["./data/sub:/sub:ro"]', "", [ID]],
    [
      "deeper, with needless parts",
      'volumes: ["./data/./:/data"]',
      'volumes: ["././data//a/b/:/b"]',
      "",
      ["b/nested_path:./data/a/b"],
    ],
    [
      "in long",
      "volumes: [{ type: bind, source: ./data, target: /data }]",
      "volumes: [{ type: bind, source: ./data/sub, target: /sub, read_only: true, bind: { create_host_path: true } }]",
      "",
      [ID],
    ],
    ["of one service", "tty: true", 'volumes: ["./data:/data", "./data/sub:/data/sub:ro"]', "", [ID]],
    [
      "taken from another service",
      DATA,
      "extends: c",
      "  c: { image: c:1, volumes: ['./data/sub:/sub'] }\n",
      [ID, "c/nested_path:./data/sub"],
    ],
    ["merged", `&a\n    <<: { ${DATA} }`.replace("&a\n    ", ""), "<<: { volumes: ['./data/sub:/sub'] }", "", [ID]],
    ["by the full path of the outer one", 'volumes: ["FOLDER/data:/data"]', SUB, "", [ID]],
    [
      "by the full path of both",
      'volumes: ["/srv//x:/data"]',
      'volumes: ["/srv/x/y/:/b"]',
      "",
      ["b/nested_path:/srv/x/y"],
    ],
    ["with the whole project", 'volumes: ["FOLDER:/all"]', 'volumes: ["./data:/data"]', "", ["b/nested_path:./data"]],
    ["by a volume for the outer one", 'volumes: ["v:/data"]', SUB, volumeAt("FOLDER/data"), [ID]],
    ["by a volume for the inner one", DATA, 'volumes: ["v:/data"]', volumeAt("FOLDER/data/sub"), [ID]],
  ] as const)("%s", async (_, a, b, more, ids) => {
    expect(await idsOf(two(a, b, more))).toEqual([...ids]);
  });

  test.each(["config", "secret"])("as the file of a %s", async (kind) => {
    mkdirSync(join(folder(), "data"), { recursive: true });
    await Bun.write(join(folder(), "data/sub"), "x");
    expect(await idsOf(two(DATA, `${kind}s: [x]`, `${kind}s: { x: { file: data/sub } }\n`))).toEqual([ID]);
  });

  test("by a link on the way to it", async () => {
    mkdirSync(join(folder(), "data/sub"), { recursive: true });
    symlinkSync("data/sub", join(folder(), "short"));
    expect(await idsOf(two(DATA, 'volumes: ["./short:/sub"]'))).toEqual(["b/nested_path:./short"]);
    symlinkSync(join(folder(), "data"), join(world.node.dataDir, "alias"));
    expect(await idsOf(two(`volumes: ["${world.node.dataDir}/alias:/data"]`, SUB))).toEqual([ID]);
  });

  test.each([
    ["the outer one is only read", 'volumes: ["./data:/data:ro"]', SUB, ""],
    ["it is the same folder", DATA, 'volumes: ["./data/:/elsewhere"]', ""],
    ["their names only begin alike", DATA, 'volumes: ["./data2/sub:/sub"]', ""],
    ["the volume that is written to is Docker's own", 'volumes: ["v:/data"]', SUB, "volumes: { v: {} }\n"],
  ])("but not where %s", async (_, a, b, more) => {
    expect(await idsOf(two(a, b, more))).toEqual([]);
  });

  test("it is said in words, with who may write there", async () => {
    const [danger, ...others] = (await world.plan(two(DATA, SUB))).dangers;
    expect(others).toEqual([]);
    expect(danger).toEqual({
      id: ID,
      service: "b",
      text: "b has ./data/sub, which lies in ./data, where a may write: a link put in its place leads anywhere, and from its next start on b reads any file of this server and may write to it.",
    });
  });
});

describe("nobody gets around it", () => {
  const ask = (route: string, body?: unknown) => world.call(route, body);
  const deployWith = async (file: string, confirmed: string[]) => {
    const { hash } = await world.plan(file);
    return ask("POST /api/containers/compose", { name: "shop", file, plan: hash, confirmed });
  };
  /** As it is deployed by a node that did not name it yet. */
  const forget = () => world.node.ctx.db.raw.run("DELETE FROM compose_confirmed");

  test("a deploy without the confirmation is none", async () => {
    const file = two(DATA, SUB);
    expect(await deployWith(file, [])).toMatchObject({
      status: 409,
      body: { code: "compose_unconfirmed", params: { ids: [ID] } },
    });
    expect(world.engine.containers()).toEqual([]);
    expect((await world.deploy(file)).status).toBe("done");
    expect(await deployWith(file, [])).toMatchObject({ status: 409, body: { code: "compose_unconfirmed" } });
  });

  test("what was deployed before plans named it is named, and starts anew once somebody has confirmed it", async () => {
    const file = two(DATA, SUB);
    await world.deploy(file);
    const { body: listed } = await ask("GET /api/containers");
    const id = listed.find(({ name }: { name: string }) => name === "shop-b-1").id;
    const routes = ["compose/shop/start", "compose/shop/restart", `${id}/restart`].map(
      (path) => `POST /api/containers/${path}`,
    );
    forget();
    world.engine.forget();
    for (const route of routes)
      expect([route, await ask(route)]).toEqual([
        route,
        expect.objectContaining({ status: 409, body: expect.objectContaining({ code: "compose_unconfirmed" }) }),
      ]);
    expect(world.engine.asked.filter((each) => /start$/.test(each))).toEqual([]);
    const { body } = await ask("POST /api/containers/compose/shop/stop");
    expect((await world.end(body.op_id)).status).toBe("done");
    expect(await ask(`POST /api/containers/${id}/start`)).toMatchObject({ status: 409 });
    expect((await world.plan(file)).actions).toMatchObject([{ action: "keep" }, { action: "keep" }]);
    expect((await world.deploy(file)).status).toBe("done");
    for (const route of routes) {
      const { status, body: begun } = await ask(route);
      expect(status).toBe(200);
      if (begun.op_id !== undefined) expect((await world.end(begun.op_id)).status).toBe("done");
    }
  });

  test("what runs counts too: it writes until it is stopped, and comes back when a deploy fails", async () => {
    await world.deploy(two(DATA, "tty: true"));
    expect(await idsOf(two("tty: true", SUB))).toEqual([ID]);
    await world.deploy(two("tty: true", SUB));
    const [danger] = (await world.plan(two(DATA, "tty: true"))).dangers;
    expect(danger).toMatchObject({ id: ID });
    expect(danger.text).toStartWith("b, as it is now and would come back if this failed, has ./data/sub");
    expect((await deployWith(two(DATA, "tty: true"), [])).status).toBe(409);
    expect(await idsOf(two("tty: true", SUB))).toEqual([]);
  });
});
