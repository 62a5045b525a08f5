import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWire, EngineError } from "./engine-wire.ts";
import { imageVerbs } from "./verbs/images.ts";

const MB = 1_048_576;
/** What a registry that wishes nobody well says against a pull. */
const LONG = `denied: ${"x".repeat(20 * MB)}`;

const answers: Record<string, () => Response> = {
  "/v1/short": () => Response.json({ message: "no such thing" }, { status: 404 }),
  "/v1/bare": () => new Response("", { status: 500 }),
  "/v1/images/create": () => new Response(`{"status":"Pulling"}\n${JSON.stringify({ error: LONG })}\n`),
  "/v1/distribution/registry.test%2Fimage/json": () => Response.json({ message: LONG }, { status: 403 }),
  "/v1/list": () => new Response(`["${"x".repeat(64 * MB)}"]`),
  "/v1/nothing": () => new Response(null, { status: 204 }),
  "/v1/waits": () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("[")) })),
};
const folder = mkdtempSync(join(tmpdir(), "orrery-wire-"));
const unix = join(folder, "engine.sock");
let server: { stop(now: boolean): unknown };
beforeAll(() => {
  server = Bun.serve({ unix, fetch: ({ url }) => answers[new URL(url).pathname]?.() ?? new Response("none") });
});
afterAll(() => {
  server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const wire = createWire(unix, "v1");

async function refusal(work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(() => null).catch((thrown: unknown) => thrown);
  if (!(error instanceof EngineError)) throw new Error(`not refused: ${error}`);
  return error;
}

test("a refusal has its status and the engine's words", async () => {
  expect(await refusal(wire.call("GET", "/short"))).toMatchObject({ status: 404, message: "no such thing" });
  expect(await refusal(wire.open("GET", "/short"))).toMatchObject({ status: 404, message: "no such thing" });
  expect(await refusal(wire.call("GET", "/bare"))).toMatchObject({ status: 500, message: "the engine answered 500" });
});

test("of what a registry says only as much is kept as people read", async () => {
  const images = imageVerbs(wire);
  const pull = images.pullImage("registry.test/image", { login: null, onLine: () => {} });
  for (const { status, message } of [
    await refusal(pull),
    await refusal(images.checkImage("registry.test/image", null, 10_000)),
  ]) {
    expect(status).toBeOneOf([403, 500]);
    expect(message).toContain("denied: xxx");
    expect(message.length).toBe(2_000);
  }
});

test("an answer that is too large is refused, by no status of an engine that is away", async () => {
  expect((await refusal(wire.call("GET", "/list"))).status).toBe(413);
  expect(await wire.call<null>("GET", "/nothing")).toBeNull();
});

test("an answer that does not come to its end is given up", async () => {
  expect(await refusal(wire.call("GET", "/waits", { timeoutMs: 20 }))).toMatchObject({ status: 0, code: "ABORT_ERR" });
});
