import { expect, test } from "bun:test";
import { createTestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { ensureSecrets, readSecrets } from "../blueprint/secrets.ts";
import { findApp } from "../store.ts";
import { giveUp, keepLastLines } from "./give-up.ts";
import type { Work } from "./work.ts";

test("what an app wrote before its work failed is kept without its secrets", async () => {
  const node = createTestNode();
  await seedApp(node, "shop");
  ensureSecrets(node.ctx, "app_shop", [{ key: "WORD", label: "Word", kind: "password", bytes: 24, rotatable: true }]);
  const word = readSecrets(node.ctx, "app_shop")[0]?.value ?? "";
  const app = findApp(node.ctx.db, "app_shop");
  if (!app) throw new Error("it was just made");
  const kept: string[] = [];
  async function* written() {
    yield { at: "", stream: "stdout" as const, text: `signs in as ada with ${word}` };
  }
  const engine = {
    listContainers: async () => [
      { Id: "c1", Names: ["/shop-web"], Image: "web:1", ImageID: "sha256:1", State: "exited", Labels: {} },
    ],
    readLogs: async () => written(),
  };
  const op = { log: (line: string) => void kept.push(line) };
  await keepLastLines({ own: node.ctx, engine, blueprint: { app }, op, signal: new AbortController().signal });
  expect(kept).toEqual([": signs in as ada with ••••"]);
  node.close();
});

test("who asked for an install that fails is on record", async () => {
  const node = createTestNode();
  await seedApp(node, "shop", { status: "installing", work: "install", installed_at: null });
  const app = findApp(node.ctx.db, "app_shop");
  if (!app) throw new Error("it was just made");
  const asker = (await node.call("GET /api/auth/me", { as: "admin" })).body.id;
  const failure = { code: "image_not_found", cause: "The registry does not have shop:1.", next_step: null };
  const engine = { listContainers: async () => [], listVolumes: async () => [], listNetworks: async () => [] };
  const op = { by: { user_id: asker, ip: "10.0.0.9" }, log: () => {}, fail: () => {} };
  const own = { ...node.ctx, state: { list_json: null } };
  const work = { own, engine, blueprint: { app }, op, signal: new AbortController().signal } as unknown as Work;
  await giveUp(work, failure, () => null);
  const [entry] = (await node.call("GET /api/audit/logs?action=app.", { as: "admin" })).body;
  expect(entry).toMatchObject({
    action: "app.work_failed",
    resource: "app:app_shop",
    ip_address: "10.0.0.9",
    details: { work: "install", cause: failure.cause, user_id: asker },
  });
  node.close();
});
