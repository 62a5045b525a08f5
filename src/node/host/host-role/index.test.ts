import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFakeHostPrograms } from "../../../../tests/kit/fake-host-programs.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import { minutes } from "../../../lib/duration.ts";
import type { AnswerVerb } from "./answer-verb.ts";
import { createHostServer } from "./host-server.ts";
import { createHostRole, type VerbOutput } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = makeScratch("host-role");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function askBehindSocket(answer: AnswerVerb): Promise<unknown> {
  const path = join(folder, "host.sock");
  const node = createTestNode({ host_socket: path });
  const { clock, log, version } = node.ctx;
  const server = createHostServer({ answer, clock, log, version, idleMs: minutes(5) });
  await server.listen({ path });
  try {
    return await node.ctx.hostRole.ask("unit.state", { unit: "caddy.service" }, { by: "usr_1" });
  } finally {
    server.leave();
    node.close();
  }
}

test("with a socket it is asked there, and its answer has to be one of the verb's", async () => {
  const state: VerbOutput<"unit.state"> = { active: true, enabled: true, failed: false, exists: true };
  expect(await askBehindSocket(async () => state)).toEqual(state);
  await expect(askBehindSocket(async () => ({ ...state, more: 1 }))).rejects.toMatchObject({
    code: "host_role_unavailable",
  });
});

test("without a socket the node is it, and keeps the record", async () => {
  const fake = makeFakeHostPrograms(folder);
  const node = createTestNode({ host_root: folder, host_socket: "" });
  const hostRole = createHostRole({ ...node.ctx, run: fake.run });
  fake.offer("lynis", "3.0.8");
  const packages = ["lynis" as const];
  expect(await hostRole.ask("packages.state", { packages }, { by: "usr_1" })).toEqual({
    manager: "apt",
    locked: false,
    packages: [{ name: "lynis", installed: null, candidate: "3.0.8" }],
  });
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  expect(await hostRole.ask("packages.install", { packages }, { by: "op_1", onLine })).toEqual({ installed: packages });
  expect(lines).toEqual(["Setting up lynis ..."]);
  expect(readFileSync(join(node.dataDir, "host-audit.jsonl"), "utf8").split("\n")).toHaveLength(3);
  node.close();
});

test("whoever does not want to wait is let go, and what began is carried out", async () => {
  const fake = makeFakeHostPrograms(folder);
  const node = createTestNode({ host_root: folder, host_socket: "" });
  const hostRole = createHostRole({ ...node.ctx, run: fake.run });
  fake.offer("lynis");
  const stop = new AbortController();
  const onLine = () => stop.abort(new Error("gone"));
  const options = { by: "op_1", onLine, signal: stop.signal };
  await expect(hostRole.ask("packages.install", { packages: ["lynis"] }, options)).rejects.toThrow("gone");
  // The next one has to wait for it.
  const removing = hostRole.ask("packages.remove", { packages: ["lynis"] }, { by: "op_2" });
  let isOver = false;
  void removing.finally(() => {
    isOver = true;
  });
  // Slowly: what it waits for runs on the real clock, and it does not wait for ever.
  await until(
    async () => {
      await node.clock.advance(100);
      return isOver;
    },
    { timeoutMs: 50_000, everyMs: 20 },
  );
  expect(await removing).toEqual({ removed: ["lynis"] });
  const again = hostRole.ask("packages.install", { packages: ["lynis"] }, { by: "op_3", signal: stop.signal });
  await expect(again).rejects.toThrow("gone");
  expect(fake.isInstalled("lynis")).toBe(false);
  node.close();
});
