import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DEATHS,
  type EngineDeath,
  type MortalEngine,
  startMortalEngine,
} from "../../../../../tests/kit/mortal-engine.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { OWN_TEMPLATES } from "../../../../../tests/kit/own-templates.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";

let node: TestNode;
let engine: MortalEngine;
let page: Bun.TCPSocketListener<undefined>;

/** What the version of the catalogue answers. */
const sick = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("no", { status: 503 }) });
/**
 * A catalogue whose app is asked there whether it works. Behind the port that it is given listens no container, so that an app of
 * another test may have the same one, and answer for it.
 */
const catalogue = makeScratch("catalogue");
cpSync(OWN_TEMPLATES, catalogue, { recursive: true });
const manifestFile = join(catalogue, "whoami", "1.11.0", "app.yaml");
writeFileSync(
  manifestFile,
  readFileSync(manifestFile, "utf8").replace("http: /health", `http: /health\n  port: ${sick.port}`),
);
afterAll(async () => {
  await sick.stop(true);
  rmSync(catalogue, { recursive: true });
});

beforeEach(async () => {
  page = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  engine = startMortalEngine();
  node = createTestNode({ docker_socket: engine.socket, templates_dir: catalogue });
  const { manifest } = await node.ctx.templates.load("whoami");
  const health = { service: "whoami", tcp: page.port, start_s: 20, stable_s: 0 };
  const version = "0.0.1";
  await seedApp(node, "a", { version, manifest: JSON.stringify({ ...manifest, version, health }) });
  node.ctx.runtime.start();
  await passes(() => node.ctx.runtime.engine() !== null);
});
afterEach(() => {
  node.close();
  engine.stop();
  page.stop(true);
});

const TURNS = 3_000;

/** Lets time pass until something is so; the time that it takes is no matter. */
async function passes(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    if (isSo()) return;
    await node.clock.advance(200);
    await Bun.sleep(1);
  }
  throw new Error(`it does not come to that: ${JSON.stringify(state())}`);
}

const state = () => {
  const { status, cause, work, next_step } = node.ctx.apps.get("app_a");
  return { status, cause, work, next_step };
};
const isUp = () => state().status === "running" && engine.runs();
const ask = (verb: string) => node.call(`POST /api/apps/app_a/${verb}`, { as: "admin" });

async function bringUp(): Promise<void> {
  if (state().status !== "running") await ask("start");
  await passes(isUp);
}

/** Begins a work that runs into the loss of the engine at its `count`-th question; false when the work asks fewer. */
async function loseAt(verb: string, count: number, how: EngineDeath, exitCode: number, refusals: number) {
  engine.forget();
  engine.dieAt(count, how);
  await ask(verb);
  await passes(() => !engine.isUp() || state().work === null);
  if (engine.isUp()) return false;
  await passes(() => node.ctx.runtime.engine() === null);
  engine.comeBack(exitCode, refusals);
  return true;
}

const EXITS = [0, 143, 137];

async function takeDown(): Promise<void> {
  await ask("stop");
  await passes(() => state().status === "stopped");
}

// Each question meets one of the deaths; all of them at every question take half a minute.
const STEP = process.env["ENGINE_LOSSES"] === "all" ? 1 : DEATHS.length;

test.each(
  DEATHS.flatMap((how, index) => [
    { verb: "restart", how, first: STEP === 1 ? 1 : index + 1 },
    { verb: "start", how, first: STEP === 1 ? 1 : DEATHS.length - index },
  ]),
)(
  "an app comes up by itself when the engine is lost at any moment of its $verb: $how",
  async ({ verb, how, first }) => {
    for (let count = first; ; count += STEP) {
      await bringUp();
      if (verb === "start") await takeDown();
      const isLost = await loseAt(verb, count, how, EXITS[count % EXITS.length] ?? 0, count % 2);
      await passes(isUp);
      if (!isLost) return expect(count).toBeGreaterThan(4);
    }
  },
  60_000,
);

test("a container that the engine never starts again is made anew", async () => {
  await bringUp();
  engine.stick();
  engine.forget();
  await ask("restart");
  await passes(() => state().work === null);
  expect([state().status, engine.runs()]).toEqual(["running", true]);
  expect(engine.asked.filter((one) => one.startsWith("DELETE /containers"))).toHaveLength(1);
});

test("an app that is stopped while the engine goes away stays stopped", async () => {
  for (let count = 1; ; count++) {
    await bringUp();
    const isLost = await loseAt("stop", count, "before", 143, 0);
    await passes(() => state().status === "stopped");
    if (!isLost) return expect(count).toBeGreaterThan(2);
  }
}, 60_000);

test("an app that rests through the engine's loss goes on resting, one that runs comes up again", async () => {
  await bringUp();
  engine.kill();
  await passes(() => node.ctx.runtime.engine() === null);
  engine.comeBack(143);
  await passes(isUp);
  await takeDown();
  engine.kill();
  await passes(() => node.ctx.runtime.engine() === null);
  engine.comeBack(143);
  engine.forget();
  await passes(() => node.ctx.runtime.engine() !== null && engine.asked.length > 1);
  for (let turn = 0; turn < 20; turn++) await node.clock.advance(500);
  expect([state().status, engine.runs()]).toEqual(["stopped", false]);
});

test("an engine that does not stay up ends the work, and the app says so", async () => {
  await bringUp();
  engine.refuseStarts(1_000);
  await ask("restart");
  await passes(() => state().status === "error");
  expect(state()).toMatchObject({
    cause: expect.stringContaining("Docker went away 8 times"),
    next_step: expect.stringContaining("journalctl"),
    work: null,
  });
  engine.refuseStarts(0);
  await bringUp();
});

test.each([
  ["for a while", 5, "running", true, "503 instead of 200"],
  ["for good", 1_000, "error", false, "connection error"],
])("an update whose engine refuses %s ends on the version before", async (_, refusals, status, runs, cause) => {
  await bringUp();
  engine.refuseStarts(refusals);
  // The new version does not work.
  expect((await node.call("POST /api/apps/app_a/update", { as: "admin", body: {} })).status).toBe(200);
  await passes(() => state().work === null);
  expect([state().status, node.ctx.apps.get("app_a").version, engine.runs()]).toEqual([status, "0.0.1", runs]);
  const { last } = (await node.call("GET /api/apps/app_a/updates", { as: "admin" })).body;
  expect(last.cause).toContain(cause);
});
