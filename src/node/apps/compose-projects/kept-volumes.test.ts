import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import type { PlanDanger } from "./contract.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

/** Where the engine of the tests keeps its own. */
const ROOT = "/var/lib/docker-in-memory";
const VOLUMES = `${ROOT}/volumes`;

/** A service `a` with these mounts. */
const file = (...mounts: string[]) =>
  `services: { a: { image: "a:1", volumes: [${mounts.map((each) => `"${each}"`)}] } }\nvolumes: { v: {} }\n`;

async function planOf(name: string, text: string) {
  const { body } = await world.call("POST /api/containers/compose/plan", { name, file: text });
  expect(body.problems).toEqual([]);
  return body;
}

/** The dangers of a plan that are about what others, or Docker, have in a folder. */
const dangersOf = async (name: string, text: string): Promise<PlanDanger[]> =>
  (await planOf(name, text)).dangers.filter(({ id }: { id: string }) =>
    /\/(nested_path|outer_path|engine_data):/.test(id),
  );
const idsOf = async (name: string, text: string) => (await dangersOf(name, text)).map(({ id }) => id);

async function deploy(name: string, text: string) {
  const { hash, dangers } = await planOf(name, text);
  const confirmed = dangers.map(({ id }: { id: string }) => id);
  const { body } = await world.call("POST /api/containers/compose", { name, file: text, plan: hash, confirmed });
  expect((await world.end(body.op_id)).status).toBe("done");
}

const restart = (name: string) => world.call(`POST /api/containers/compose/${name}/restart`);

describe("the place of a volume that the engine keeps can be replaced by who writes above it", () => {
  const own = `${VOLUMES}/shop_v/_data`;

  test.each([
    ["all volumes", VOLUMES, [`a/nested_path:${own}`, `a/engine_data:${VOLUMES}`]],
    ["all that the engine has", ROOT, [`a/nested_path:${own}`, `a/engine_data:${ROOT}`]],
    ["the folder of this one", `${VOLUMES}/shop_v`, [`a/nested_path:${own}`]],
  ])("its own one, before it is made and after that: %s", async (_, outer, ids) => {
    const text = file("v:/cfg", `${outer}:/d`);
    expect(await idsOf("shop", text)).toEqual(ids);
    await deploy("shop", text);
    expect(await idsOf("shop", text)).toEqual(ids);
  });

  test("what was deployed before plans named it starts no more until it is confirmed", async () => {
    const text = file("v:/cfg", `${VOLUMES}:/d`);
    await deploy("shop", text);
    world.node.ctx.db.raw.run("DELETE FROM compose_confirmed");
    expect(await restart("shop")).toMatchObject({ status: 409, body: { code: "compose_unconfirmed" } });
    await deploy("shop", text);
    expect((await restart("shop")).status).toBe(200);
  });

  test("one that other containers have, an app's too", async () => {
    await deploy("shop", file("v:/cfg"));
    const text = file(`${VOLUMES}/shop_v:/d`);
    expect(await dangersOf("backup", text)).toMatchObject([
      {
        id: `a/outer_path:${VOLUMES}/shop_v`,
        text: expect.stringContaining(`${own} of the container shop-a-1 of the project shop.`),
      },
    ]);
    await deploy("backup", text);
    expect(await idsOf("shop", file("v:/cfg"))).toEqual([`a/nested_path:${own}`]);
    expect(await restart("shop")).toMatchObject({ status: 409, body: { code: "compose_unconfirmed" } });
    world.engine.disown("shop-a-1");
    expect(await idsOf("backup", text)).toEqual([`a/outer_path:${VOLUMES}/shop_v`]);
  });

  test.each([
    ["has the volume itself", own],
    ["writes within it only", `${own}/sub`],
    ["only reads above it", `${VOLUMES}:/d:ro`],
    ["writes beside it", `${VOLUMES}/shop_v2`],
    ["has all volumes anyway, as some dashboards do", VOLUMES],
  ])("but not by who %s", async (_, outer) => {
    await deploy("shop", file("v:/cfg"));
    await deploy("other", file(outer.includes(":") ? outer : `${outer}:/d`));
    expect((await idsOf("shop", file("v:/cfg"))).filter((id) => id.includes("/nested_path:"))).toEqual([]);
  });
});

describe("who may write to what the engine keeps its own in has this server", () => {
  test("it is said in words", async () => {
    expect(await dangersOf("shop", file(`${VOLUMES}:/d`))).toEqual([
      {
        id: `a/engine_data:${VOLUMES}`,
        service: "a",
        text: `a may write to ${VOLUMES}, where the Docker Engine keeps its own: it has all data of all apps and projects, and control over this whole server.`,
      },
    ]);
  });

  test.each(["/", "/var/lib", ROOT, `${ROOT}/containers`, `${ROOT}/overlay2/x/diff`])("by %s", async (path) => {
    expect(await idsOf("shop", file(`${path}:/d`))).toEqual([`a/engine_data:${path}`]);
    expect(await idsOf("shop", file(`${path}:/d:ro`))).toEqual([]);
  });

  test("by a link, and by a volume that binds it", async () => {
    mkdirSync(world.node.dataDir, { recursive: true });
    const link = join(world.node.dataDir, "short");
    symlinkSync(VOLUMES, link);
    expect(await idsOf("shop", file(`${link}:/d`))).toEqual([`a/engine_data:${link}`]);
    const bound = `services: { a: { image: "a:1", volumes: ["v:/d"] } }\nvolumes: { v: { driver_opts: { type: none, o: bind, device: "${VOLUMES}" } } }\n`;
    expect(await idsOf("shop", bound)).toContain(`a/engine_data:${VOLUMES}`);
  });

  test.each(["/srv", `${VOLUMES}/shop_w/_data`, `${ROOT}-of-others`])("but not by %s", async (path) => {
    expect(await idsOf("shop", file("v:/cfg", `${path}:/d`))).toEqual([]);
  });
});
