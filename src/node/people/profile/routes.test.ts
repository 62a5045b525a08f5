import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

const DEFAULTS = {
  accent: "nebula",
  custom_accent: null,
  theme: "dark",
  motion: "cinematic",
  sounds: false,
  mode: "server",
  spaces: {},
};

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const read = (as: "viewer" | "admin" = "viewer") => node.call("GET /api/profile/preferences", { as });
const write = (body: unknown) => node.call("PUT /api/profile/preferences", { as: "viewer", body });

test("who never chose has the defaults", async () => {
  expect((await read()).body).toEqual(DEFAULTS);
});

test("a change keeps the rest, answers everything and belongs to one user", async () => {
  await write({ accent: "custom", custom_accent: "#12ABef" });
  const { status, body } = await write({ theme: "light", sounds: true, motion: "calm", mode: "personal" });
  expect(status).toBe(200);
  expect(body).toEqual({
    accent: "custom",
    custom_accent: "#12ABef",
    theme: "light",
    motion: "calm",
    sounds: true,
    mode: "personal",
    spaces: {},
  });
  expect((await read()).body).toEqual(body);
  expect((await read("admin")).body).toEqual(DEFAULTS);
});

test("false and null are choices of their own", async () => {
  await write({ sounds: true, custom_accent: "#000000" });
  expect((await write({ sounds: false, custom_accent: null })).body).toEqual(DEFAULTS);
});

test("an empty change changes nothing", async () => {
  await write({ accent: "ion" });
  expect((await write({})).body).toEqual({ ...DEFAULTS, accent: "ion" });
});

test("spaces keep changed blocks only and null resets them", async () => {
  await write({ spaces: { home: { verdict: false, charts: true } } });
  expect((await write({ spaces: { home: { charts: null }, apps: { featured: false } } })).body.spaces).toEqual({
    home: { verdict: false },
    apps: { featured: false },
  });
  expect((await write({ spaces: { home: null } })).body.spaces).toEqual({ apps: { featured: false } });
  expect((await write({ spaces: null })).body.spaces).toEqual({});
});

test("preferences go with their user", async () => {
  await write({ accent: "ion" });
  node.ctx.db.raw.query("DELETE FROM users WHERE id = 'usr_viewer'").run();
  const left = node.ctx.db.raw.query("SELECT count(*) AS count FROM preferences").get();
  expect(left).toEqual({ count: 0 });
});

describe("what is refused", () => {
  const rows: [unknown, string][] = [
    [{ colour: "red" }, "colour"],
    [{ accent: "pink" }, "accent"],
    [{ accent: null }, "accent"],
    [{ custom_accent: "red" }, "custom_accent"],
    [{ custom_accent: "#12345" }, "custom_accent"],
    [{ custom_accent: "#12345g" }, "custom_accent"],
    [{ theme: "auto" }, "theme"],
    [{ motion: "fast" }, "motion"],
    [{ sounds: "yes" }, "sounds"],
    [{ mode: "galaxy" }, "mode"],
    [{ spaces: [] }, "spaces"],
    [{ spaces: { home: true } }, "spaces"],
    [{ spaces: { home: { verdict: "no" } } }, "spaces"],
    [{ spaces: { "Not a name": {} } }, "spaces"],
    [{ spaces: { home: { __proto: true } } }, "spaces"],
    [{ spaces: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`s${index}`, {}])) }, "spaces"],
    [[], "body"],
    ["{", "body"],
  ];
  test.each(rows)("%j", async (body, field) => {
    const answer = await write(body);
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    expect(answer.body.params.field).toStartWith(field);
    expect((await read()).body).toEqual(DEFAULTS);
  });
});

test("switches do not pile up without end", async () => {
  const many = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, true]));
  const spaces = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${prefix}${index}`, { verdict: true }]));
  expect((await write({ spaces: spaces("s") })).status).toBe(200);
  expect((await write({ spaces: spaces("t") })).body).toMatchObject({
    code: "invalid_request",
    params: { field: "spaces" },
  });
  expect((await write({ spaces: { s0: many("a", 39) } })).status).toBe(200);
  expect((await write({ spaces: { s0: { one_more: true } } })).status).toBe(400);
  expect((await write({ spaces: { s0: { a0: null, one_more: true } } })).status).toBe(200);
});
