import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

test("a taken port and a data folder in use end the start with the reason", async () => {
  const node = await startNode();
  const other = mkdtempSync(join(tmpdir(), "orrery-e2e-"));
  const serve = (dataDir: string, listen: string) =>
    Bun.spawnSync([NODE_BINARY, "serve", "--data", dataDir, "--listen", listen]);
  const samePort = serve(other, new URL(node.url).host);
  expect(samePort.stderr.toString()).toContain(`Another program listens on port ${new URL(node.url).port} already.`);
  expect(samePort.exitCode).toBe(1);
  const sameData = serve(node.dataDir, "127.0.0.1:0");
  expect(sameData.stderr.toString()).toContain("another process is using");
  expect(sameData.exitCode).toBe(1);
  rmSync(other, { recursive: true });
  await node.dispose();
});
