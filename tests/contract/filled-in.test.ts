import { afterAll, expect, test } from "bun:test";
import { isRecord } from "../../src/lib/json.ts";
import { listPanelRoutes } from "../../src/panel/commands/routes.ts";
import { createTestNode } from "../kit/node-app.ts";

const node = createTestNode();
afterAll(() => node.close());

/** Where, in a schema of what callers send, one of several words is put in for a field that they left out. */
function listFilled(schema: unknown, place: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part, index) => listFilled(part, `${place}.${index}`));
  if (!isRecord(schema)) return [];
  const own = Array.isArray(schema["enum"]) && schema["default"] === schema["enum"][0] ? [place] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, part]) => listFilled(part, `${place}.${name}`))];
}

test("no route puts in the first of several words where a caller said none", () => {
  const routes = [...node.routes, ...listPanelRoutes()];
  const filled = routes.flatMap(({ method, path, hooks }) =>
    ["body", "query", "params", "headers"].flatMap((part) => listFilled(hooks[part], `${method} ${path} ${part}`)),
  );
  expect(routes.length).toBeGreaterThan(300);
  expect(filled).toEqual([]);
});
