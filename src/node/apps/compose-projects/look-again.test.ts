import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

const file = (folder: string, image = "a:1", more = "") =>
  `services: { a: { image: "${image}", volumes: ["${folder}:/d"] } }\n${more}`;
const OUTER = file("/srv/x");
const INNER = file("/srv/x/sub");
const BRIDGE = "networks: { default: { driver_opts: { com.docker.network.bridge.name: br-shop } } }\n";

/** Plans projects, all before any of them is deployed, and confirms what each plan names. */
async function planAll(projects: [name: string, text: string][]) {
  const planned = [];
  for (const [name, text] of projects) {
    const { body } = await world.call("POST /api/containers/compose/plan", { name, file: text });
    planned.push({ name, file: text, plan: body.hash, confirmed: body.dangers.map(({ id }: { id: string }) => id) });
  }
  return planned;
}

/** Deploys all at once; how each ended. */
async function deployAll(planned: Awaited<ReturnType<typeof planAll>>) {
  const begun = await Promise.all(planned.map((input) => world.call("POST /api/containers/compose", input)));
  const ends = [];
  for (const { body } of begun) ends.push(await world.end(body.op_id));
  return ends;
}

const REFUSED = { status: "failed", error: { code: "compose_unconfirmed" } };

test.each([
  ["who writes above comes first", [OUTER, INNER]],
  ["who writes above comes last", [INNER, OUTER]],
])("of two that are deployed at once and reach each other's paths, one is made: %s", async (_, texts) => {
  const ends = await deployAll(await planAll(texts.map((text, index) => [`p${index}`, text])));
  const [done, failed] = ends.toSorted((one, other) => one.status.localeCompare(other.status));
  expect(done).toMatchObject({ status: "done" });
  expect(failed).toMatchObject(REFUSED);
  expect(failed?.error?.message).toMatch(
    /^Something came in between since the plan was shown: a (has|may write to) \/srv/,
  );
  expect(world.engine.containers()).toMatchObject([{ status: "running" }]);
  // It is asked for now, and what is confirmed is made.
  const name = ends[0] === failed ? "p0" : "p1";
  const [again] = await planAll([[name, texts[Number(name === "p1")] ?? ""]]);
  expect(again?.confirmed).toContainEqual(expect.stringMatching(/^a\/(nested|outer)_path:/));
  expect(await deployAll(again === undefined ? [] : [again])).toMatchObject([{ status: "done" }]);
});

test("who may write above one path of others has not confirmed it for another", async () => {
  await deployAll(await planAll([["kept", file("/srv/x/kept")]]));
  const [outer, inner] = await planAll([
    ["outer", OUTER],
    ["inner", INNER],
  ]);
  expect(outer?.confirmed).toContain("a/outer_path:/srv/x");
  const ends = await deployAll(outer && inner ? [outer, inner] : []);
  expect(ends.map(({ status }) => status).sort()).toEqual(["done", "failed"]);
});

test("those that have nothing to do with each other are all made", async () => {
  const names = ["p0", "p1", "p2", "p3"];
  const ends = await deployAll(await planAll(names.map((name) => [name, file(`/srv/${name}`)])));
  expect(ends.map(({ status }) => status)).toEqual(names.map(() => "done"));
});

test("a bridge that has come since the plan is not taken, and what ran runs", async () => {
  await deployAll(await planAll([["shop", file("/srv/x")]]));
  const planned = await planAll([["shop", file("/srv/x", "a:2", BRIDGE)]]);
  const [was] = world.engine.containers();
  // The deploy plans once more before it begins: then it is not there yet.
  let looks = 0;
  world.node.ctx.host.findInterface = () => {
    looks += 1;
    return looks > 1;
  };
  expect(await deployAll(planned)).toMatchObject([REFUSED]);
  expect(world.engine.containers()).toEqual(was === undefined ? [] : [was]);
});
