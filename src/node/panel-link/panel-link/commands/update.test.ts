import { afterEach, beforeEach, expect, test } from "bun:test";
import { passing } from "../../../../../tests/kit/fake-clock.ts";
import { belongToPanel, linkOwn } from "../../../../../tests/kit/link-own.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { type ReleaseServer, startReleaseServer } from "../../../../../tests/kit/release-server.ts";
import { type Behaviour, createTempHost, TEST_PROGRAM, type TempHost } from "../../../../../tests/kit/temp-host.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { runCommand } from "../../../../kernel/service/cli.ts";
import { installCommand } from "../../../../kernel/service/install.ts";
import { layoutOf } from "../../../../kernel/service/program.ts";
import { createReleaseDownloads } from "../../../../kernel/service/release-base.ts";
import { carryOutRequest } from "../../../../kernel/service/upgrade-asked.ts";
import { acceptCommands } from "./accept.ts";
import { type CommandRow, findCommand } from "./command-store.ts";
import { createExecutor, type Executor } from "./executor.ts";
import { collectResults } from "./results.ts";
import { updateVerb } from "./update.ts";

const LAYOUT = layoutOf(TEST_PROGRAM);
let temp: TempHost;
let server: ReleaseServer;
let node: TestNode;
const processes: TestNode[] = [];

beforeEach(async () => {
  temp = createTempHost();
  temp.makeRelease("", "1.0.0", "works");
  server = await startReleaseServer();
  node = createTestNode({ release_base: server.base });
  belongToPanel(node.ctx, "ten_a");
  const deps = { ...unit(), ids: node.ctx.ids, env: {} };
  await runCommand("orrery-node", [installCommand(() => deps)], ["install"], deps.print, deps.print);
});
afterEach(() => {
  for (const each of processes.splice(0)) each.close();
  node.close();
  server.close();
  temp.dispose();
});

/** What the upgrade unit works with. */
function unit() {
  return { host: temp.host, clock: passing(node.clock), spec: TEST_PROGRAM, print: () => {} };
}
const runUnit = () => carryOutRequest(unit(), () => server.key);

/** A process of the node, of some version; the one before it is over. */
function start(version = "1.0.0", { base = server.base, dataDir = LAYOUT.dataDir } = {}): Executor & { stop(): void } {
  const process = createTestNode(base === "" ? {} : { release_base: base }, node);
  processes.push(process);
  const own = { ...linkOwn(process.ctx), version };
  const place = {
    host: temp.host,
    layout: LAYOUT,
    key: server.key,
    downloads: createReleaseDownloads(node.clock, ["127.0.0.0/8"], new Set()),
    dataDir,
  };
  const executor = createExecutor(own, new Map([["update.apply", updateVerb(own, () => place)]]));
  executor.recover();
  executor.work();
  return { ...executor, stop: process.close };
}

function publish(version: string, behaviour: Behaviour): Map<string, Uint8Array> {
  return server.add(version, temp.host.readBytes(temp.makeRelease(`made-${version}`, version, behaviour)) ?? "");
}
const ask = (id: string, version: string, more: object = {}) =>
  acceptCommands(linkOwn(node.ctx), "ten_a", [
    { id, type: "update.apply", generation: 0, payload: { version, ...more } },
  ]);
const row = (id: string): CommandRow | null => findCommand(node.ctx.db, { membership: "ten_a", id });
/** Turns the clock until something is so. */
const turnUntil = (isSo: () => boolean) =>
  until(
    async () => {
      await node.clock.advance(250);
      return isSo();
    },
    { everyMs: 1 },
  );
const isAsked = () => temp.host.stat(LAYOUT.request) !== null;
const isOver = (id: string) => () => !/queued|running/.test(row(id)?.status ?? "");
const left = () => [temp.host.list(LAYOUT.updateDir), temp.host.target(LAYOUT.current)];

test("a node updates itself: fetched, handed over, and judged by the release that runs then", async () => {
  publish("2.0.0", "works");
  ask("cmd_1", "2.0.0");
  const before = start();
  await turnUntil(isAsked);
  expect(collectResults(node.ctx.db, "ten_a")).toEqual([
    { id: "cmd_1", status: "running", output: "Installing 2.0.0" },
  ]);
  before.stop();
  await before.idle();
  expect(row("cmd_1")?.status).toBe("running");
  await runUnit();
  start("2.0.0");
  await turnUntil(isOver("cmd_1"));
  expect(row("cmd_1")).toMatchObject({ status: "succeeded", output: "2.0.0 is running.", error: null });
  expect(left()).toEqual([[], "releases/2.0.0"]);
});

test("an update that nobody has taken yet is withdrawn when the node leaves the panel that wanted it", async () => {
  publish("2.0.0", "works");
  ask("cmd_1", "2.0.0");
  const executor = start();
  await turnUntil(isAsked);
  const { panelLink } = processes[0]?.ctx ?? node.ctx;
  panelLink.disconnect({ by: "host", ip: "" });
  panelLink.say("changed");
  await executor.idle();
  expect(isAsked()).toBe(false);
  expect(left()).toEqual([[], "releases/1.0.0"]);
  expect(row("cmd_1")).toMatchObject({ status: "failed", error: expect.stringContaining("left the panel") });
});

test("a release on trial is no success yet, and one that was rolled back is told with its reason", async () => {
  publish("2.0.0", "spoils the data");
  ask("cmd_1", "2.0.0");
  const before = start();
  await turnUntil(isAsked);
  before.stop();
  await before.idle();
  const journal = { phase: "trial", request: "cmd_1" };
  temp.host.move(LAYOUT.request, "/root/request.json");
  temp.host.write(LAYOUT.journal, JSON.stringify(journal), 0o600);
  const onTrial = start("2.0.0");
  for (let i = 0; i < 20; i++) await node.clock.advance(1_000);
  expect(row("cmd_1")?.status).toBe("running");
  onTrial.stop();
  await onTrial.idle();
  temp.host.remove(LAYOUT.journal);
  temp.host.move("/root/request.json", LAYOUT.request);
  await runUnit();
  start();
  await turnUntil(isOver("cmd_1"));
  expect(row("cmd_1")).toMatchObject({
    status: "failed",
    error: "2.0.0 was not kept: the service failed (exit-code). 1.0.0 is running again, with its data.",
  });
  expect(left()).toEqual([[], "releases/1.0.0"]);
});

test("the same command does not update twice, and a second update waits for the first", async () => {
  publish("2.0.0", "exits");
  publish("3.0.0", "works");
  ask("cmd_1", "2.0.0");
  ask("cmd_2", "3.0.0");
  ask("cmd_1", "2.0.0");
  const before = start();
  await turnUntil(isAsked);
  expect([row("cmd_1")?.status, row("cmd_2")?.status]).toEqual(["running", "queued"]);
  await runUnit();
  await turnUntil(isAsked);
  expect([row("cmd_1")?.status, row("cmd_2")?.status]).toEqual(["failed", "running"]);
  ask("cmd_1", "2.0.0");
  await runUnit();
  before.stop();
  await before.idle();
  start("3.0.0");
  await turnUntil(isOver("cmd_2"));
  expect([row("cmd_1")?.status, row("cmd_2")?.status]).toEqual(["failed", "succeeded"]);
  expect(server.asked.filter((name) => name === "SHA256SUMS")).toHaveLength(2);
});

test("what runs already is a success, without asking anybody", async () => {
  ask("cmd_1", "1.0.0");
  await start().idle();
  expect(row("cmd_1")).toMatchObject({ status: "succeeded", output: "1.0.0 is running." });
  expect(server.asked).toEqual([]);
});

test("a tampered release is refused before anything is handed over", async () => {
  const files = publish("2.0.0", "works");
  for (const [name, bytes] of files) if (name.startsWith("orrery-")) files.set(name, Buffer.from([...bytes, 1]));
  ask("cmd_1", "2.0.0");
  await start().idle();
  expect(row("cmd_1")).toMatchObject({ status: "refused", error: expect.stringContaining("its SHA-256 differs") });
  expect(left()).toEqual([[], "releases/1.0.0"]);
});

test("another version inside is refused by the unit, and the fetched file is gone", async () => {
  const inside = temp.host.readBytes(temp.makeRelease("inside", "2.0.1", "works")) ?? "";
  server.add("2.0.0", inside);
  ask("cmd_1", "2.0.0");
  start();
  await turnUntil(isAsked);
  await runUnit();
  await turnUntil(isOver("cmd_1"));
  expect(row("cmd_1")).toMatchObject({
    status: "refused",
    error: "The update was refused: the file calls itself 2.0.1, its maker 2.0.0; nothing was changed.",
  });
  expect(left()).toEqual([[], "releases/1.0.0"]);
});

test("going back is done only when it is meant", async () => {
  publish("0.9.0", "works");
  ask("cmd_1", "0.9.0");
  await start().idle();
  expect(row("cmd_1")).toMatchObject({ status: "refused", error: expect.stringContaining("older than 1.0.0") });
  // And where it is meant from another release alone, not from this one.
  ask("cmd_3", "0.9.0", { allow_older: true, only_from: "2.0.0" });
  await start().idle();
  expect(row("cmd_3")).toMatchObject({ status: "refused", error: expect.stringContaining("runs 1.0.0") });
  ask("cmd_2", "0.9.0", { allow_older: true, only_from: "1.0.0" });
  start();
  await turnUntil(isAsked);
  await runUnit();
  await turnUntil(isOver("cmd_2"));
  expect(row("cmd_2")).toMatchObject({ status: "succeeded", output: "0.9.0 is running." });
});

test.each<[string, () => Executor, string]>([
  ["no installed service", () => start("1.0.0", { dataDir: "/srv/data" }), "orrery-node upgrade --file FILE"],
  [
    "no unit to ask",
    () => {
      temp.host.remove(`${LAYOUT.unitDir}/${LAYOUT.watchUnit}`);
      return start();
    },
    "is no installed service",
  ],
  ["no place of releases", () => start("1.0.0", { base: "" }), "ORRERY_RELEASE_BASE in /etc/orrery/node.env"],
])("a node with %s refuses, and says what to do", async (_case, begin, words) => {
  publish("2.0.0", "works");
  ask("cmd_1", "2.0.0");
  await begin().idle();
  expect(row("cmd_1")).toMatchObject({ status: "refused", error: expect.stringContaining(words) });
  expect(server.asked).toEqual([]);
});

test("a place that is away is a failure, and nothing stays", async () => {
  ask("cmd_1", "2.0.0");
  await start().idle();
  expect(row("cmd_1")).toMatchObject({ status: "failed", error: expect.stringContaining("could not be fetched") });
  expect(left()).toEqual([[], "releases/1.0.0"]);
});

test("what nobody takes is taken back", async () => {
  publish("2.0.0", "works");
  ask("cmd_1", "2.0.0");
  start();
  await turnUntil(isAsked);
  for (let i = 0; i < 50; i++) await node.clock.advance(1_000);
  expect(row("cmd_1")?.status).toBe("running");
  await turnUntil(isOver("cmd_1"));
  expect(row("cmd_1")).toMatchObject({
    status: "refused",
    error: expect.stringContaining("systemctl restart orrery-node-upgrade.path"),
  });
  await runUnit();
  expect(left()).toEqual([[], "releases/1.0.0"]);
});

test("a stop in the middle of the download begins anew", async () => {
  publish("2.0.0", "works");
  server.cut.times = 1;
  server.cut.after = 10;
  ask("cmd_1", "2.0.0");
  const before = start();
  await until(() => server.cut.times === 0, { everyMs: 1 });
  before.stop();
  await before.idle();
  expect(row("cmd_1")?.status).toBe("running");
  expect(isAsked()).toBe(false);
  start();
  await turnUntil(isAsked);
  expect(server.asked.filter((name) => name === "SHA256SUMS")).toHaveLength(2);
});
