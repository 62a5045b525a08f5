import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";

// By its address: a name would be looked up.
const IMAGE = "10.0.0.1:5000/web:1";
let node: TestNode;
let folder: string;
let given: Promise<void>;
let server: { stop(now: boolean): unknown };

/** An engine whose registry sends a line, and then nothing more; `given` resolves when the pull is given up. */
function answer(request: Request): Response {
  const { pathname } = new URL(request.url);
  const endless = (first: string) =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(`${first}\n`)) }));
  if (pathname === "/version") return Response.json({ Version: "27.0.0", ApiVersion: "1.47", MinAPIVersion: "1.24" });
  if (pathname.endsWith("/info"))
    return Response.json({ Driver: "overlay2", DockerRootDir: "/", Architecture: "x86_64" });
  if (pathname.endsWith("/events")) return endless("");
  if (!pathname.endsWith("/images/create")) return Response.json([]);
  given = new Promise((resolve) => request.signal.addEventListener("abort", () => resolve()));
  return endless('{"status":"Pulling"}');
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-pull-"));
  const unix = join(folder, "docker.sock");
  server = Bun.serve({ unix, fetch: answer });
  node = createTestNode({ docker_socket: unix });
  node.ctx.runtime.start();
  await passes(() => node.ctx.runtime.engine() !== null);
});
afterEach(() => {
  node.close();
  server.stop(true);
  rmSync(folder, { recursive: true });
});

async function passes(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5000 && !isSo(); turn++) {
    await node.clock.advance(1);
    await Bun.sleep(1);
  }
  if (!isSo()) throw new Error("it does not come to that");
}
const post = (path: string, image = IMAGE) =>
  node.call(`POST /api/containers/images/pull${path}`, { as: "admin", body: { image } });

test("a pull is cancelled, on record, and its place is free for another", async () => {
  const { op_id } = (await post("")).body;
  expect((await post("")).body).toEqual({ op_id });
  expect((await post("/cancel", "10.0.0.1:5000/other:1")).body).toMatchObject({ code: "pull_over" });
  await passes(() => given !== undefined);
  expect((await post("/cancel")).status).toBe(200);
  await given;
  await passes(() => node.ctx.operations.get(op_id).status !== "running");
  expect(node.ctx.operations.get(op_id).error).toMatchObject({ code: "pull_cancelled" });
  expect(node.events.filter(({ name }) => name.startsWith("image."))).toEqual([
    { name: "image.pull_cancelled", data: expect.objectContaining({ image: IMAGE }) },
  ]);
  expect((await post("/cancel")).body).toMatchObject({ code: "pull_over" });
  expect((await post("")).body.op_id).not.toBe(op_id);
  await post("/cancel");
});
