import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { NODE_BINARY, type NodeProcess, startNode } from "../kit/binary.ts";
import { createClient, setUp, signIn } from "../kit/client.ts";

describe("the compiled node", () => {
  let node: NodeProcess;
  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(() => node.dispose());

  test("is set up once, then only signed in to", async () => {
    const owner = await setUp(node.url);
    expect(await owner.ok("GET /api/auth/me")).toMatchObject({ username: "owner", role: "admin" });
    const again = await createClient(node.url).call("POST /api/auth/setup", {
      username: "other",
      password: "another password",
    });
    expect(again.status).toBe(409);
  });

  test("keeps its accounts over a kill and a normal stop", async () => {
    await node.kill();
    node = await startNode({ dataDir: node.dataDir });
    await signIn(node.url);
    expect(await node.stop()).toBe(0);
    node = await startNode({ dataDir: node.dataDir });
    expect((await signIn(node.url)).token).not.toBe("");
  });

  test("guards the API and answers unknown API paths with JSON", async () => {
    const visitor = createClient(node.url);
    expect((await visitor.call("GET /api/users")).status).toBe(401);
    const unknown = await visitor.call("GET /api/nothing-here");
    expect(unknown.status).toBe(404);
    expect(unknown.body.code).toBe("not_found");
  });
});

test("a wrong command says how to go on and exits with 2", () => {
  const done = Bun.spawnSync([NODE_BINARY, "dance"]);
  expect(done.exitCode).toBe(2);
  expect(done.stderr.toString()).toContain("orrery-node help");
});
