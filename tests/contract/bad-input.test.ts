import { afterAll, expect, test } from "bun:test";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { isRecord } from "../../src/lib/json.ts";
import { createTestNode } from "../kit/node-app.ts";
import { dumpDatabase } from "../kit/scenario.ts";

const config = { anonymous_rate: "1000000", session_rate: "1000000", plan: "enterprise" };
const node = createTestNode(config);
/** One without an owner: the setup looks at nothing where there is one. */
const unset = createTestNode(config);
afterAll(() => {
  node.close();
  unset.close();
});

const token = await node.tokenOf("admin");
const before = dumpDatabase(node);

const withBody = node.routes.filter(({ hooks }) => hooks["body"] !== undefined);
const bodiless = withBody.filter(({ hooks }) => fieldsOf(hooks["body"])?.length === 0);
const withQuery = node.routes.filter(({ hooks }) => hooks["query"] !== undefined);

async function send({ method, path }: RouteInfo, body: string | undefined, query = "", type = "application/json") {
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  const route = `${method} ${path.replace(/\{\w+\}/g, "none")}${query}`;
  const on = path === "/api/auth/setup" ? unset : node;
  return on.call(route, body === undefined ? { headers } : { headers, body });
}

/** Names that a schema knows on its outermost level; null for maps, which take any name. */
function fieldsOf(schema: unknown): string[] | null {
  return isRecord(schema) && isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : null;
}

const BODIES: [string, string][] = [
  ["malformed JSON", '{"a":'],
  ["text after the JSON", "{} {}"],
  ["JSON that is nested beyond reason", `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ["a list", "[1]"],
  ["a number", "1"],
  ["a text", '"x"'],
];

for (const [what, body] of BODIES) {
  test(`every route with a body refuses ${what} with 400 and names the field`, async () => {
    const wrong: string[] = [];
    for (const route of withBody) {
      const answer = await send(route, body);
      const isRight = answer.status === 400 && typeof answer.body.params?.field === "string";
      if (!isRight) wrong.push(`${route.method} ${route.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    expect(wrong).toEqual([]);
    expect(dumpDatabase(node)).toEqual(before);
  });
}

test("every route with a body refuses a field it does not know, by name", async () => {
  const wrong: string[] = [];
  for (const route of withBody.filter(({ hooks }) => fieldsOf(hooks["body"]) !== null)) {
    const { status, body } = await send(route, '{"no_such_field":1}');
    const params = body.params ?? {};
    // A route that requires a field, also in its query, may name that one first.
    const own = [...(fieldsOf(route.hooks["body"]) ?? []), ...(fieldsOf(route.hooks["query"]) ?? [])];
    const isRight = status === 400 && [...own, "no_such_field"].includes(params.field);
    if (!isRight) wrong.push(`${route.method} ${route.path}: ${status} ${JSON.stringify(body)}`);
  }
  expect(wrong).toEqual([]);
  expect(dumpDatabase(node)).toEqual(before);
});

test("every route that changes something looks at its body, also those that want none", () => {
  const changing = node.routes.filter(({ method }) => ["POST", "PUT", "PATCH", "DELETE"].includes(method));
  const unread = changing.filter((route) => !withBody.includes(route)).map(({ method, path }) => `${method} ${path}`);
  // Signing out takes whatever comes; pictures, files and parts of them are no JSON, and their routes read them themselves.
  expect(unread.toSorted()).toEqual([
    "DELETE /dav/drive",
    "DELETE /dav/drive/*",
    "PATCH /api/drive/upload/{upload_id}",
    "POST /api/auth/logout",
    "POST /api/drive/upload",
    "POST /api/shares/{token}/upload",
    "PUT /api/apps/{id}/files/uploads/{upload_id}",
    "PUT /api/drive/upload/{upload_id}",
    "PUT /api/drop-off/file",
    "PUT /api/objects/buckets/{name}/uploads/{upload_id}",
    "PUT /api/profile/avatar",
    "PUT /api/shares/{token}/uploads/{upload_id}",
    "PUT /dav/drive",
    "PUT /dav/drive/*",
  ]);
  expect(bodiless.map(({ method, path }) => `${method} ${path}`)).toContain("POST /api/apps/{id}/stop");
});

test("routes that want no body take none, null or an empty object", async () => {
  const wrong: string[] = [];
  for (const route of bodiless.filter(({ path }) => path.startsWith("/api/apps/"))) {
    for (const body of [undefined, "", "null", "{}"]) {
      const { status } = await send(route, body);
      if (status !== 404) wrong.push(`${route.method} ${route.path} ${body}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("every route that changes something refuses a body above the limit and of another type", async () => {
  const wrong: string[] = [];
  const large = JSON.stringify({ x: "x".repeat(1_100_000) });
  for (const route of withBody) {
    const tooLarge = await send(route, large);
    const form = await send(route, "a=b", "", "application/x-www-form-urlencoded");
    if (tooLarge.status !== 413 || form.status !== 415) {
      wrong.push(`${route.method} ${route.path}: ${tooLarge.status} and ${form.status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(dumpDatabase(node)).toEqual(before);
});

test("every route refuses a parameter it does not know, by name", async () => {
  const wrong: string[] = [];
  for (const route of withQuery.filter(({ method }) => method === "GET")) {
    const { status, body } = await send(route, undefined, "?no_such_parameter=1");
    const isRight =
      status === 400 && [...(fieldsOf(route.hooks["query"]) ?? []), "no_such_parameter"].includes(body.params?.field);
    if (!isRight) wrong.push(`${route.method} ${route.path}: ${status} ${JSON.stringify(body)}`);
  }
  expect(wrong).toEqual([]);
});

test("path parameters of any kind are an answer, never an error of ours", async () => {
  const wrong: string[] = [];
  const odd = [
    "%00",
    "%E0%A4%A",
    "..%2f..%2fmain.db",
    "%2e%2e",
    "' OR 1=1 --".replaceAll(" ", "%20"),
    "x".repeat(4_000),
    "💥",
  ];
  for (const route of node.routes.filter(({ path }) => path.includes("{"))) {
    for (const value of odd) {
      const path = route.path.replace(/\{\w+\}/g, value);
      if (/\/(stream|events)$/.test(route.path) && route.method === "GET") continue;
      const { status } = await node.call(`${route.method} ${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (status >= 500 && status !== 503) wrong.push(`${route.method} ${path}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(dumpDatabase(node)).toEqual(before);
});

/** Paths of texts and lists in a schema that have no upper limit. */
function unlimited(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => unlimited(part, path));
  if (!isRecord(schema) || schema["const"] !== undefined || schema["enum"] !== undefined) return [];
  // Formats have lengths of their own.
  if (schema["format"] !== undefined) return [];
  const isOpen =
    (schema["type"] === "string" &&
      schema["maxLength"] === undefined &&
      !/^\^.*[^*+]\$$/.test(`${schema["pattern"]}`)) ||
    (schema["type"] === "array" && schema["maxItems"] === undefined);
  const inner = [schema["items"], schema["anyOf"], schema["allOf"]].flatMap((part) => unlimited(part, path));
  const fields = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  return [...(isOpen ? [path] : []), ...inner, ...fields.flatMap(([name, part]) => unlimited(part, `${path}.${name}`))];
}

test("every text and list in a body has an upper limit", () => {
  const open = withBody.flatMap(({ method, path, hooks }) => unlimited(hooks["body"], `${method} ${path}`));
  // Signing out answers 200 to everything; the limit on bodies bounds it.
  expect(open.filter((path) => path !== "POST /api/auth/logout.refresh_token")).toEqual([]);
});

test("what is read by an id that nothing has is 404; a setting without a value is empty, as the contract wants", async () => {
  const headers = { authorization: `Bearer ${token}` };
  const found: string[] = [];
  for (const { path } of node.routes.filter(({ method, path }) => method === "GET" && path.includes("{"))) {
    const { status, body } = await node.call(`GET ${path.replace(/\{\w+\}/g, "none")}`, { headers });
    // Without an engine nobody knows which containers there are.
    if (status !== 404 && body.code !== "runtime_unavailable") found.push(`${path} ${status}`);
  }
  expect(found).toEqual(["/api/settings/{key} 200"]);
});
