import { afterEach, beforeEach, expect, test } from "bun:test";
import { bearer } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario, scenarios } from "../../../../tests/kit/scenario.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const scenario = scenarios(() => node);
const MISSING = { status: 503, code: "runtime_unavailable", has: { params: { next_step: expect.any(String) } } };

test.each(["", "/stats", "/images", "/volumes", "/networks"])(
  "without an engine GET /api/containers%s says so, and what to do",
  async (path) => {
    await checkScenario(node, `GET /api/containers${path}`, { as: "viewer", ...MISSING });
  },
);

test.each([
  "GET /api/containers/web",
  "GET /api/containers/web/logs",
  "POST /api/containers/web/start",
  "DELETE /api/containers/web",
  "POST /api/containers/images/prune",
  "DELETE /api/containers/volumes/data",
])("without an engine nothing comes of %s", async (route) => {
  await checkScenario(node, route, { as: "admin", ...MISSING, events: { "*": 0 } });
});

test.each(["nginx", "nginx:1.29", `ghcr.io/a/b_c__d-e:v1@sha256:${"a".repeat(64)}`, "localhost:5000/a", "UPPER/case"])(
  "%s may be pulled",
  async (image) => {
    await checkScenario(node, "POST /api/containers/images/pull", { as: "admin", body: { image }, ...MISSING });
  },
);

const NO_IMAGES = [
  "",
  "a/UPPER",
  "a b",
  "-flag",
  "https://example.org/a",
  "a:b:c",
  "../etc",
  "a@sha256:12",
  "a\nb",
  "a".repeat(401),
];
for (const image of NO_IMAGES)
  scenario(`what is no image (${JSON.stringify(image).slice(0, 30)})`, "POST /api/containers/images/pull", {
    as: "admin",
    body: { image },
    status: 400,
    code: "invalid_request",
    field: "image",
  });

test("what a field may be is said in words", async () => {
  const headers = bearer(await node.tokenOf("admin"));
  const volumes = (name: string, path: string) => [{ name, path }];
  for (const [field, body] of [
    ["image", { image: "X Y" }],
    ["name", { name: "orrery-x" }],
    ["volumes.0.name", { volumes: volumes("/etc", "/x") }],
    ["volumes.0.path", { volumes: volumes("data", "x") }],
  ] as const) {
    const answer = await node.call("POST /api/containers", {
      headers,
      body: { image: "nginx", name: "web", ...body },
    });
    expect(answer.body.message).toStartWith(`${field}: must be `);
  }
  for (const route of ["GET /api/containers/a%20b", "DELETE /api/containers/images/a%20b"])
    expect((await node.call(route, { headers })).body.message).toStartWith("id: must be ");
});

const NOT_RUN: [what: string, body: object, field: string][] = [
  ["a folder of the server", { volumes: [{ name: "/etc", path: "/data" }] }, "volumes.0.name"],
  ["the volume of an update to come", { volumes: [{ name: "orrery-shop-data.1", path: "/data" }] }, "volumes.0.name"],
  ["a path that carries options", { volumes: [{ name: "data", path: "/data:rw" }] }, "volumes.0.path"],
  ["a variable with an equals sign", { environment: { "A=B": "c" } }, "environment.A=B"],
  ["a name of ours", { name: "orrery-shop" }, "name"],
  ["more than there is to ask for", { privileged: true }, "privileged"],
  ["a port out of range", { ports: [{ container: 0, host: 80 }] }, "ports.0.container"],
];
for (const [what, more, field] of NOT_RUN)
  scenario(`no container of ${what}`, "POST /api/containers", {
    as: "admin",
    body: { image: "nginx", name: "shop", ...more },
    status: 400,
    code: "invalid_request",
    field,
  });

scenario("a name that is a path", "DELETE /api/containers/volumes/..%2Fetc", {
  as: "admin",
  status: 400,
  code: "invalid_request",
  field: "id",
});
scenario("too many lines", "GET /api/containers/web/logs?lines=5001", {
  as: "admin",
  status: 400,
  code: "invalid_request",
  field: "lines",
});
