import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../../kernel/http/errors.ts";
import { explainPull } from "../apps/work/failure.ts";
import { createWire, EngineError } from "./engine-wire.ts";
import { imageVerbs } from "./verbs/images.ts";

const MB = 1_048_576;
/** What a registry that wishes nobody well says against a pull. */
const LONG = `denied: ${"x".repeat(20 * MB)}`;

const asked: string[] = [];
/** What an image says of its containers, with a label of so many bytes. */
const imageWith = (bytes: number) => Response.json({ Id: "1", Config: { Labels: { long: "x".repeat(bytes) } } });

const answers: Record<string, () => Response> = {
  "/v2/images/create": () => new Response('{"status":"Pull complete"}\n'),
  "/v2/images/registry.test%2Ffair/json": () => imageWith(60_000),
  "/v2/images/registry.test%2Flong/json": () => imageWith(70_000),
  "/v2/images/registry.test%2Fendless/json": () => imageWith(65 * MB),
  "/v2/images/registry.test%2Flong": () => Response.json([]),
  "/v2/images/registry.test%2Fendless": () => Response.json({ message: "in use" }, { status: 409 }),
  "/v1/short": () => Response.json({ message: "no such thing" }, { status: 404 }),
  "/v1/bare": () => new Response("", { status: 500 }),
  "/v1/images/create": () => new Response(`{"status":"Pulling"}\n${JSON.stringify({ error: LONG })}\n`),
  "/v1/distribution/registry.test%2Fimage/json": () => Response.json({ message: LONG }, { status: 403 }),
  "/v1/list": () => new Response(`["${"x".repeat(64 * MB)}"]`),
  "/v1/values": () => new Response(`[${"0,".repeat(1_000_000)}0]`),
  "/v1/fair": () => new Response(`[${"0,".repeat(899_999)}0]`),
  "/v1/nothing": () => new Response(null, { status: 204 }),
  "/v1/waits": () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("[")) })),
};
const folder = mkdtempSync(join(tmpdir(), "orrery-wire-"));
const unix = join(folder, "engine.sock");
function answer({ method, url }: Request): Response {
  const { pathname } = new URL(url);
  asked.push(`${method} ${pathname}`);
  return answers[pathname]?.() ?? new Response("none");
}
let server: { stop(now: boolean): unknown };
beforeAll(() => {
  server = Bun.serve({ unix, fetch: answer });
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

test("whoever asked what an engine gives no answer to hears that, and what to do", async () => {
  const lost = createWire(join(folder, "nobody.sock"), "v1");
  const slow = wire.call("GET", "/waits", { timeoutMs: 20 });
  for (const call of [lost.call("GET", "/short"), lost.open("GET", "/short"), slow]) {
    const { status, cause } = await refusal(call);
    expect(status).toBe(0);
    expect(cause).toMatchObject({ status: 503, code: "runtime_unavailable", params: { state: "unreachable" } });
  }
  expect((await refusal(wire.call("GET", "/bare"))).cause).toBeUndefined();
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

test("an answer that is too large, or has too many values, is an error with words of its own", async () => {
  for (const path of ["/list", "/values"]) {
    const error = await wire.call("GET", path).catch((thrown: unknown) => thrown);
    if (!(error instanceof AppError)) throw new Error(`not refused: ${error}`);
    expect([error.status, error.code]).toEqual([503, "runtime_answer_too_large"]);
    expect(error.message).toContain("docker image rm");
  }
  expect(await wire.call<number[]>("GET", "/fair")).toHaveLength(900_000);
  expect(await wire.call<null>("GET", "/nothing")).toBeNull();
});

test("an answer that does not come to its end is given up", async () => {
  expect(await refusal(wire.call("GET", "/waits", { timeoutMs: 20 }))).toMatchObject({ status: 0, code: "ABORT_ERR" });
});

test("an image whose labels are of any length is refused after its pull, and removed again", async () => {
  const { pullImage } = imageVerbs(createWire(unix, "v2"));
  const pull = (name: string) => pullImage(`registry.test/${name}`, { login: null, onLine: () => {} });
  await pull("fair");
  expect(asked).not.toContain("DELETE /v2/images/registry.test%2Ffair");
  for (const name of ["long", "endless"]) {
    const { message } = await refusal(pull(name));
    expect(explainPull(`registry.test/${name}:1`, message)).toMatchObject({ code: "image_overlong" });
    expect(asked).toContain(`DELETE /v2/images/registry.test%2F${name}`);
  }
});
