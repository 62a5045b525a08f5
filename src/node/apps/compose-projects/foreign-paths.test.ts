import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

/** A service `a` with these mounts, and what follows. */
const file = (mounts: string, more = "") => `services: { a: { image: "a:1", volumes: [${mounts}] } }\n${more}`;
const OUTER = '"/srv/x:/d"';
const INNER = '"/srv/x/sub:/d"';
const NESTED = "a/nested_path:/srv/x/sub";

async function planOf(name: string, text: string) {
  const { body } = await world.call("POST /api/containers/compose/plan", { name, file: text });
  expect(body.problems).toEqual([]);
  return body;
}

/** The dangers of a plan by which somebody could replace somebody's path. */
const dangersOf = async (name: string, text: string): Promise<{ id: string; text: string }[]> =>
  (await planOf(name, text)).dangers.filter(({ id }: { id: string }) => /\/(nested|outer)_path:/.test(id));
const idsOf = async (name: string, text: string) => (await dangersOf(name, text)).map(({ id }) => id);

async function deploy(name: string, text: string, isMeant = (_: string) => true) {
  const { hash, dangers } = await planOf(name, text);
  const confirmed = dangers.map(({ id }: { id: string }) => id).filter(isMeant);
  const { body } = await world.call("POST /api/containers/compose", { name, file: text, plan: hash, confirmed });
  if (body.op_id !== undefined) expect((await world.end(body.op_id)).status).toBe("done");
  return body;
}

test("what another project may replace is a danger, which says who may", async () => {
  await deploy("other", file(OUTER));
  expect(await dangersOf("shop", file('"/srv/x/sub:/d:ro"'))).toMatchObject([
    {
      id: NESTED,
      text: "a has /srv/x/sub, which lies in /srv/x, where the container other-a-1 of the project other may write: a link put in its place leads anywhere, and from its next start on a reads any file of this server.",
    },
  ]);
  expect(await deploy("shop", file(INNER), (id) => id !== NESTED)).toMatchObject({ code: "compose_unconfirmed" });
  await deploy("shop", file(INNER));
  const { body } = await world.call("POST /api/containers/compose/shop/restart");
  expect((await world.end(body.op_id)).status).toBe("done");
});

test("whoever comes to write above what others have is told so, and asked again is who has it", async () => {
  await deploy("shop", file(INNER));
  expect(await dangersOf("other", file(OUTER))).toMatchObject([
    {
      id: "a/outer_path:/srv/x",
      text: "a may write to /srv/x, in which lies what others have: /srv/x/sub of the container shop-a-1 of the project shop. A link put in its place leads anywhere, and from its next start on whoever has it reads any file of this server, and may write to it where it writes there now.",
    },
  ]);
  await deploy("other", file(OUTER));
  for (const verb of ["start", "restart"]) {
    const { body } = await world.call(`POST /api/containers/compose/shop/${verb}`);
    expect(body).toMatchObject({ code: "compose_unconfirmed", params: { ids: [NESTED] } });
  }
  expect(world.engine.containers()).toMatchObject([
    { name: "other-a-1", status: "running" },
    { name: "shop-a-1", status: "running" },
  ]);
  // Who writes above is not asked again: nothing of its own changes.
  expect((await world.call("POST /api/containers/compose/other/restart")).body.op_id).toBeString();
});

test("a container that somebody started by hand counts too, one that stands still as well", async () => {
  await deploy("other", file(OUTER));
  world.engine.disown("other-a-1");
  const { body } = await world.call("POST /api/containers/compose/other/stop");
  await world.end(body.op_id);
  expect(await idsOf("shop", file(INNER))).toEqual([NESTED]);
});

test("links on the way and volumes that bind a folder count", async () => {
  const outer = join(world.node.dataDir, "outer");
  mkdirSync(join(outer, "sub"), { recursive: true });
  symlinkSync(outer, join(world.node.dataDir, "short"));
  const bind = `volumes: { v: { driver_opts: { type: none, o: bind, device: "${outer}" } } }\n`;
  const inner = file(`"${world.node.dataDir}/short/sub:/d"`);
  await deploy("other", file('"v:/d"', bind));
  expect(await idsOf("shop", inner)).toEqual([`a/nested_path:${world.node.dataDir}/short/sub`]);
  await deploy("shop", inner);
  expect(await idsOf("third", file('"v:/d"', bind))).toEqual([`a/outer_path:${outer}`]);
});

test("what lies in a volume that the engine keeps can be replaced by who writes to that", async () => {
  const kept = { Mountpoint: "/var/lib/docker/volumes/other_v/_data" };
  world.engine.volumes.set("other_v", { Labels: { "com.docker.compose.project": "other" }, Options: {}, ...kept });
  const more = "volumes: { v: {} }\n";
  await deploy("other", file('"v:/d"', more));
  const path = `${kept.Mountpoint}/sub`;
  expect(await idsOf("shop", file(`"${path}:/d"`))).toEqual([`a/nested_path:${path}`]);
  expect(await idsOf("shop", file(`"${kept.Mountpoint}:/d"`))).toEqual([]);
});

test.each([
  ["who only reads above", '"/srv/x:/d:ro"'],
  ["who has the same folder", '"/srv/x/sub:/d"'],
  ["who has one that only begins alike", '"/srv/x/su:/d"'],
  ["who may write to the whole server, and so to this node", '"/:/d"'],
  ["who has volumes that the engine keeps", '"v:/srv/x"'],
])("but not %s", async (_, mounts) => {
  await deploy("other", file(mounts, "volumes: { v: {} }\n"));
  expect(await idsOf("shop", file(INNER))).toEqual([]);
});

test("who may write to the whole data folder is no matter of a project, who writes within it is", async () => {
  const { dataDir } = world.node;
  await deploy("other", file(`"${dataDir}:/d"`));
  expect(await idsOf("shop", file('"./data:/d"'))).toEqual([]);
  await deploy("other", file(`"${dataDir}/compose:/d"`));
  expect(await idsOf("shop", file('"./data:/d"'))).toEqual(["a/nested_path:./data"]);
});
