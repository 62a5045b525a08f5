import { afterAll, expect, test } from "bun:test";
import { formatRoutes } from "../../src/kernel/http/route-table.ts";
import { listPanelRoutes } from "../../src/panel/commands/routes.ts";
import { createTestNode } from "../kit/node-app.ts";

const node = createTestNode();
afterAll(() => node.close());

/** Reviewed like a lock file: a changed access rule shows up as a changed line. Print it with `orrery-node routes`. */
test("the node's route table is the reviewed one", async () => {
  const reviewed = await Bun.file(new URL("node-routes.txt", import.meta.url)).text();
  expect(`${formatRoutes(node.routes).join("\n")}\n`).toBe(reviewed);
});

test("the panel's route table is the reviewed one", async () => {
  const reviewed = await Bun.file(new URL("panel-routes.txt", import.meta.url)).text();
  expect(`${formatRoutes(listPanelRoutes()).join("\n")}\n`).toBe(reviewed);
});

/** Methods that OpenAPI has words for: neither sockets nor those of WebDAV. */
const WORDED = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

test("OpenAPI lists every route with its rule whose method it has words for", async () => {
  const { body } = await node.call("GET /api/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  for (const { method, path, rule } of node.routes.filter((route) => WORDED.has(route.method))) {
    expect([method, path, body.paths[path]?.[method.toLowerCase()]?.["x-access"]]).toEqual([method, path, rule]);
  }
});
