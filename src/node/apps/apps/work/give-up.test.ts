import { expect, test } from "bun:test";
import { createTestNode } from "../../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../../tests/kit/seed-app.ts";
import { ensureSecrets, readSecrets } from "../blueprint/secrets.ts";
import { findApp } from "../store.ts";
import { keepLastLines } from "./give-up.ts";

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
