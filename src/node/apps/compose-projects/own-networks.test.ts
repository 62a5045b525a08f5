import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

const HONEST = 'services: { db: { image: "db:1" } }\n';
/** Names the network that the project `honest` will have. */
const CURIOUS = `services: { e: { image: "e:1", networks: [n] } }\nnetworks: { n: { name: honest_default } }\n`;
const FOREIGN = { "com.docker.compose.project": "honest" };
const TAKEN = /another network is called \S+_default already/;

/** Deploys these at once, all planned before; how each ended. */
async function deployAll(projects: Record<string, string>) {
  const planned = [];
  for (const [name, file] of Object.entries(projects)) {
    const { body } = await world.call("POST /api/containers/compose/plan", { name, file });
    expect(body).toMatchObject({ problems: [], dangers: [] });
    planned.push({ name, file, plan: body.hash, confirmed: [] });
  }
  const begun = await Promise.all(planned.map((input) => world.call("POST /api/containers/compose", input)));
  const ends = [];
  for (const { body } of begun) ends.push(await world.end(body.op_id));
  return ends;
}

/** Does this once, when a question comes after this one was asked. */
function after(question: string, act: () => void): void {
  let isDone = false;
  world.engine.fateOf = () => {
    if (!isDone && world.engine.asked.includes(question)) {
      isDone = true;
      act();
    }
    return "answer";
  };
}

test("of two that are deployed at once, none is in the network of the other", async () => {
  const ends = await deployAll({ honest: HONEST, curious: CURIOUS });
  expect(ends.map(({ status }) => status).sort()).toEqual(["done", "failed"]);
  const failed = ends.find(({ status }) => status === "failed");
  expect(failed).toMatchObject({ error: { code: "compose_refused", message: expect.stringMatching(TAKEN) } });
  expect(world.engine.containers()).toMatchObject([{ status: "running", networks: ["honest_default"] }]);
});

test("where Docker makes two that are called the same, the one that came second is taken away again", async () => {
  world.engine.twins.add("honest_default");
  const ends = await deployAll({ honest: HONEST, curious: CURIOUS });
  expect(ends.map(({ status }) => status).sort()).toEqual(["done", "failed"]);
  expect(world.engine.networks()).toMatchObject([{ name: "honest_default" }]);
  expect(world.engine.containers()).toMatchObject([{ status: "running" }]);
});

test.each([
  ["before its containers are made", "POST networks shop_default"],
  ["before they are started", "POST containers create"],
])("a network that somebody put in the place of its own is not joined: %s", async (_, question) => {
  const file = 'services: { web: { image: "web:1" } }\n';
  after(question, () => world.engine.replaceNetwork("shop_default", FOREIGN));
  expect((await world.deploy(file)).status).toBe("failed");
  expect(world.engine.containers().filter(({ status }) => status === "running")).toEqual([]);
});

test("a plan tells of a second network that is called as its own", async () => {
  world.engine.twins.add("shop_default");
  await world.deploy(HONEST);
  const input = { name: "shop_default", labels: FOREIGN, isInternal: false };
  await world.node.ctx.runtime.requireEngine().createNetwork(input);
  expect((await world.plan(HONEST)).problems).toMatchObject([{ message: expect.stringMatching(TAKEN) }]);
});

test("a network that is made anew takes the place of its own alone", async () => {
  await world.deploy(HONEST);
  const changed = `${HONEST}networks: { default: { internal: true } }\n`;
  after("POST containers shop-db-1 stop", () => world.engine.replaceNetwork("shop_default", FOREIGN));
  world.engine.forget();
  expect((await world.deploy(changed)).status).toBe("failed");
  expect(world.engine.networks()).toMatchObject([{ name: "shop_default", internal: false }]);
  expect(world.engine.asked).not.toContain("DELETE networks shop_default");
  expect(world.engine.containers().filter(({ status }) => status === "running")).toEqual([]);
});
