import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ session_rate: "100000" });
});
afterEach(() => node.close());

const widget = (id: string, x = 0) => ({ id, x, y: 0, w: 4, h: 2 });
const read = (type = "server", as: "viewer" | "admin" = "viewer") =>
  node.call(`GET /api/profile/dashboard?type=${type}`, { as });
const write = (body: unknown, type = "server") =>
  node.call(`PUT /api/profile/dashboard?type=${type}`, { as: "viewer", body });

test("nothing saved is version 0 without widgets", async () => {
  expect((await read()).body).toEqual({ type: "server", version: 0, layout: [] });
});

test("each save raises the version; types and users are apart", async () => {
  expect((await write({ layout: [widget("cpu")], version: 0 })).body).toEqual({ type: "server", version: 1 });
  expect((await write({ layout: [widget("cpu"), widget("ram", 4)], version: 1 })).body.version).toBe(2);
  expect((await read()).body).toEqual({ type: "server", version: 2, layout: [widget("cpu"), widget("ram", 4)] });
  expect((await read("personal")).body.version).toBe(0);
  expect((await read("server", "admin")).body.version).toBe(0);
});

test("of two tabs the second is told the current version and changes nothing", async () => {
  await write({ layout: [widget("mine")], version: 0 });
  const { status, body } = await write({ layout: [widget("theirs")], version: 0 });
  expect(status).toBe(409);
  expect(body).toMatchObject({ error: "stale_version", code: "stale_version", current_version: 1 });
  expect(body.message).toContain("1");
  expect((await read()).body.layout).toEqual([widget("mine")]);
  expect((await write({ layout: [], version: 7 })).status).toBe(409);
});

test("fifty saves of one version at once make one version", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => write({ layout: [widget(`w${i}`)], version: 0 })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await read()).body.version).toBe(1);
});

describe("malformed", () => {
  test.each(["", "?type=", "?type=cluster"])("query %j", async (query) => {
    expect((await node.call(`GET /api/profile/dashboard${query}`, { as: "viewer" })).status).toBe(400);
    const body = { layout: [], version: 0 };
    expect((await node.call(`PUT /api/profile/dashboard${query}`, { as: "viewer", body })).status).toBe(400);
  });

  test.each([
    [{ layout: [] }],
    [{ version: 0 }],
    [{ layout: {}, version: 0 }],
    [{ layout: [], version: -1 }],
    [{ layout: [], version: 0, type: "server" }],
    [{ layout: [{ id: "a", x: 0, y: 0, w: 1 }], version: 0 }],
    [{ layout: [{ ...widget("a"), x: 0.5 }], version: 0 }],
    [{ layout: [{ ...widget("a"), x: -1 }], version: 0 }],
    [{ layout: [{ ...widget("a"), w: 0 }], version: 0 }],
    [{ layout: [{ ...widget("a"), z: 1 }], version: 0 }],
    [{ layout: [{ ...widget("") }], version: 0 }],
    [{ layout: [widget("a"), widget("a", 4)], version: 0 }],
    [{ layout: Array.from({ length: 201 }, (_, i) => widget(`w${i}`)), version: 0 }],
    ["{"],
  ])("%j", async (body) => {
    const answer = await write(body);
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    expect((await read()).body.version).toBe(0);
  });
});
