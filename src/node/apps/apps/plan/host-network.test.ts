import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const plan = async (config: object) =>
  (await node.call("POST /api/apps/plan", { as: "admin", body: { template: "home-assistant", name: "ha", config } }))
    .body;
const checkOf = ({ checks }: { checks: { id: string }[] }, id: string) => checks.find((each) => each.id === id);

test("what shares the server's network says so, keeps its port, and is reached as the server is", async () => {
  const shown = await plan({ publish: "loopback" });
  expect(checkOf(shown, "permissions")).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("The network of this server"),
  });
  expect(checkOf(shown, "port")).toMatchObject({ detail: expect.stringContaining("this server's own network") });
  expect(checkOf(shown, "reach")).toMatchObject({ detail: expect.stringContaining(":8123") });
  const install = { template: "home-assistant", name: "ha", config: {} };
  const { status } = await node.call("POST /api/apps", { as: "admin", body: install });
  expect(status).toBeGreaterThanOrEqual(400);
});

test.each([
  [{ ports: { "home-assistant:8123": 9000 } }, "config.ports.home-assistant:8123"],
  [{ reach: { "home-assistant:8123": "loopback" } }, "config.reach.home-assistant:8123"],
])("a choice that it could not keep is refused: %p", async (config, field) => {
  const body = { template: "home-assistant", name: "ha", config: { ...config, permissions: ["host_network"] } };
  const answer = await node.call("POST /api/apps", { as: "admin", body });
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(field)]);
});

test("a port of the server that somebody has is told, and no other is taken", async () => {
  const listen = () => Bun.listen({ hostname: "0.0.0.0", port: 8123, socket: { data() {} } });
  // Where somebody has it already, it is told as well.
  const server = (() => {
    try {
      return listen();
    } catch {
      return null;
    }
  })();
  try {
    expect(checkOf(await plan({}), "port")).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("can use no other port"),
    });
  } finally {
    server?.stop(true);
  }
});
