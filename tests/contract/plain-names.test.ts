import { afterAll, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { isRecord } from "../../src/lib/json.ts";
import { listPanelRoutes } from "../../src/panel/commands/routes.ts";
import { createTestNode } from "../kit/node-app.ts";

const node = createTestNode({ session_rate: "1000000", anonymous_rate: "1000000" });
afterAll(() => node.close());

type Route = Pick<RouteInfo, "method" | "path" | "hooks">;
const routes: [program: string, route: Route][] = [
  ...node.routes.map((route): [string, Route] => ["node", route]),
  ...listPanelRoutes().map((route): [string, Route] => ["panel", route]),
];

/** A schema inside another one, with the name of the field that it is of. */
interface Part {
  field: string;
  schema: Record<string, unknown>;
}

function partsOf(schema: unknown, field = ""): Part[] {
  if (!isRecord(schema)) return [];
  const below: [string, unknown][] = [];
  for (const key of ["properties", "patternProperties"]) {
    const fields = isRecord(schema[key]) ? Object.entries(schema[key]) : [];
    below.push(...fields.map(([name, part]): [string, unknown] => [key === "properties" ? name : field, part]));
  }
  for (const key of ["anyOf", "allOf", "oneOf"]) {
    const parts = Array.isArray(schema[key]) ? schema[key] : [];
    below.push(...parts.map((part): [string, unknown] => [field, part]));
  }
  for (const key of ["items", "additionalProperties"]) below.push([field, schema[key]]);
  return [{ field, schema }, ...below.flatMap(([name, part]) => partsOf(part, name))];
}

const NAMED = /^(?:\w*name|title|label|description|email|tags?|region|views)$/;
const BAD = ["ad\u0000min", "a\nb", "gpj\u202eexe", "ad\u200bmin", "\u2066a", "a\u0085b", "x\ud800y"];

/** Names that are checked elsewhere, and where. */
const ELSEWHERE: Record<string, string> = {
  "node POST /api/apps name": "a rule with its own error",
  "node POST /api/apps/plan name": "a line of the plan",
  "node POST /api/setup/node name": "a rule with its own error",
  "node POST /api/auth/login username": "compared, never kept",
  "node POST /api/auth/approve/request email": "compared, never kept",
  "node PUT /api/objects/buckets/{name}/settings tag": "compared with the tags of objects, which may be any text",
  "panel POST /api/fleet/alerts/acknowledge region": "a region that nodes have",
};

test("no name that is sent may hold characters that nobody sees or that turn the text around", () => {
  const open: string[] = [];
  let count = 0;
  for (const [program, { method, path, hooks }] of routes) {
    for (const { field, schema } of partsOf(hooks["body"])) {
      if (schema["type"] !== "string" || schema["const"] !== undefined || !NAMED.test(field)) continue;
      count += 1;
      const passes = BAD.filter((text) => Value.Check(schema as TSchema & typeof schema, text));
      if (passes.length > 0) open.push(`${program} ${method} ${path} ${field}`);
    }
  }
  expect([...new Set(open)].toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted());
  expect(count).toBeGreaterThan(20);
});

test("names with a rule of their own refuse them too", async () => {
  const { body: templates } = await node.call("GET /api/templates", { as: "admin" });
  const template = templates[0].name;
  for (const name of BAD) {
    const app = await node.call("POST /api/apps", { as: "admin", body: { template, name } });
    const setup = await node.call("POST /api/setup/node", { as: "admin", body: { name, mode: "server" } });
    const codes = [app.status, app.body.code, setup.status, setup.body.code];
    expect([name, ...codes]).toEqual([name, 400, "invalid_name", 400, "invalid_name"]);
  }
});

test("the refusal names the field and says why", async () => {
  const { status, body } = await node.call("POST /api/keys", { as: "admin", body: { name: "a\u202eb" } });
  expect([status, body.code, body.params.field, body.message.includes("invisible")]).toEqual([
    400,
    "invalid_request",
    "name",
    true,
  ]);
});

test("no field that may be left out is filled in with the first word of its list", () => {
  const filled = routes.flatMap(([program, { method, path, hooks }]) =>
    ["body", "query", "params", "headers"].flatMap((place) =>
      partsOf(hooks[place])
        .filter(({ schema }) => Array.isArray(schema["enum"]) && schema["default"] !== undefined)
        .map(({ field }) => `${program} ${method} ${path} ${place} ${field}`),
    ),
  );
  expect(filled).toEqual([]);
});
