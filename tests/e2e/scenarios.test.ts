import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { createClient, signIn } from "../kit/client.ts";
import { ROOT } from "../kit/env.ts";
import type { WrittenScenario } from "../kit/scenario.ts";
import { makeScratch } from "../kit/scratch.ts";

/** The scenarios that stand beside the code, each a question and its answer, as their files declare them. No test of those runs. */
async function collectScenarios(): Promise<WrittenScenario[]> {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(ROOT, "src", name))
    .filter((path) => readFileSync(path, "utf8").includes("= scenarios("));
  const written = join(makeScratch("scenarios"), "scenarios.jsonl");
  const reading = Bun.spawn([process.execPath, "test", ...files, "--test-name-pattern", "^no test has this name$"], {
    cwd: ROOT,
    env: { ...process.env, ORRERY_TEST_SCENARIOS: written },
    stdout: "ignore",
    stderr: "ignore",
  });
  await reading.exited;
  const lines = readFileSync(written, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

const PASSWORD = "some fine phrase";

/** Puts one account of each role into a running node, as the nodes of these tests have them, with a hash that costs little. */
function addRoles({ dataDir }: NodeProcess): void {
  const hash = Bun.password.hashSync(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  const db = new Database(join(dataDir, "main.db"));
  db.run("PRAGMA busy_timeout = 5000");
  for (const role of ["admin", "member", "viewer"])
    db.run("INSERT INTO users (id, username, password_hash, role, created_at) VALUES (?, ?, ?, ?, ?)", [
      `usr_${role}`,
      role,
      hash,
      role,
      "2026-01-01T00:00:00.000Z",
    ]);
  db.close();
}

/** Who asks a scenario's question: a node in the state that the scenario begins with, shared by those that leave it so. */
function createNodes() {
  const nodes = new Map<string, Promise<NodeProcess>>();
  const tokens = new Map<string, Promise<string>>();

  async function start({ row, beginning: { owner } }: WrittenScenario): Promise<NodeProcess> {
    const node = await startNode({ env: { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" } });
    if (owner) await createClient(node.url).ok("POST /api/auth/setup", owner);
    else if (row.as !== undefined || row.status >= 400) addRoles(node);
    return node;
  }

  return {
    async clientFor(scenario: WrittenScenario) {
      const { what, route, row, beginning } = scenario;
      const isShared = row.as !== undefined || row.status >= 400;
      const key = JSON.stringify(beginning.owner ?? (isShared ? "roles" : [what, route]));
      const starting = nodes.get(key) ?? start(scenario);
      nodes.set(key, starting);
      const { url } = await starting;
      if (row.as === undefined) return createClient(url);
      const signing =
        tokens.get(row.as) ?? signIn(url, { username: row.as, password: PASSWORD }).then(({ token }) => token);
      tokens.set(row.as, signing);
      return createClient(url, await signing);
    },
    async dispose() {
      for (const node of nodes.values()) await (await node).dispose();
    },
  };
}

const nodes = createNodes();
let written: WrittenScenario[] = [];
beforeAll(async () => {
  written = await collectScenarios();
});
afterAll(() => nodes.dispose());

test("the compiled node answers every scenario as the code beside it says", async () => {
  const wrong: unknown[] = [];
  for (const scenario of written) {
    const { what, route, row } = scenario;
    const client = await nodes.clientFor(scenario);
    const { status, body } = await client.call(route, row.body, row.headers);
    try {
      expect({ status, code: body?.code }).toEqual({ status: row.status, code: row.code });
      if (row.field !== undefined) expect(body.params.field).toBe(row.field);
      if (row.has) expect(body).toMatchObject(row.has);
    } catch (error) {
      wrong.push(`${route}: ${what}: ${error}`);
    }
  }
  expect(wrong).toEqual([]);
  // So that a file that is not found, or a way to declare them that is not seen here, does not make this an empty promise.
  expect(written.length).toBeGreaterThan(25);
});
