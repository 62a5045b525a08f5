import { expect, test } from "bun:test";
import { bearer, logIn, MANY_ADDRESSES, PASSWORD } from "../../../../tests/kit/accounts.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

test("scrapers read how the server is with an API key for monitoring, and with nothing less", async () => {
  const node = createTestNode(MANY_ADDRESSES);
  await node.call("POST /api/auth/setup", { body: { username: "root", password: PASSWORD } });
  const { access_token } = (await logIn(node, "root")).body;
  const keyFor = async (scopes: string) =>
    (await node.call("POST /api/keys", { headers: bearer(access_token), body: { name: scopes, scopes } })).body;
  const read = (token: string) => node.call("GET /api/prometheus", { headers: { "x-api-key": token } });
  expect((await node.call("GET /api/prometheus")).status).toBe(401);
  const [fits, other] = [await keyFor("monitoring"), await keyFor("apps")];
  expect((await read(other.key)).status).toBe(403);
  const { status, headers, body } = await read(fits.key);
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  for (const name of ["info", "cpu_percent", "memory_used_bytes", "load", "apps_installed", "alerts_open"])
    expect(body).toMatch(new RegExp(`^orrery_node_${name}(\\{.*\\})? [0-9.e+-]+$`, "m"));
  node.close();
});
