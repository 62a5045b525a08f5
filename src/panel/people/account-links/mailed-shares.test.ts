import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const databases = panelDatabases("sqlite");

test("whoever asks for resets from very many networks keeps nobody else from asking", async () => {
  const panel = await createTestPanel(await databases.open(), { trusted_proxies: "127.0.0.1" });
  const ask = async (email: string, ip: string) =>
    (await panel.call("POST /api/auth/forgot-password", { body: { email }, headers: { "x-forwarded-for": ip } }))
      .status;
  const refused = new Set<number>();
  for (let index = 0; index < 310; index++) {
    const ip = index < 150 ? `198.51.${index}.7` : `2001:db8:${index.toString(16)}::7`;
    refused.add(await ask(`stranger${index}@example.org`, ip));
  }
  // This panel has no mail server: what is not held back by a limit says so.
  const through = await ask("ada@example.org", "203.0.113.5");
  expect([through, refused.has(429)]).toEqual([await ask("ada@example.org", "192.0.2.5"), true]);
  expect(through).not.toBe(429);
  // Their own providers have to wait.
  expect(await ask("bob@example.org", "198.51.200.1")).toBe(429);
  expect(await ask("bob@example.org", "2001:db8:ffff::1")).toBe(429);
});
