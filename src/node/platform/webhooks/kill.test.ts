import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { startReceiver } from "../../../../tests/kit/receiver.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

const CHILD = new URL("../../../../tests/kit/webhook-child.ts", import.meta.url).pathname;
const ROUNDS = 4;

const dir = makeScratch("webhook-kill");
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A database with two webhooks, written by a node with the key that the child has. */
async function prepare(url: string): Promise<void> {
  const node = createTestNode({ webhook_allow_cidrs: "127.0.0.0/8" });
  for (const path of ["/one", "/two"])
    await node.call("POST /api/webhooks", { as: "admin", body: { url: new URL(path, url).href, events: ["*"] } });
  node.ctx.db.raw.query("VACUUM INTO ?").run(join(dir, "main.db"));
  node.close();
}

async function start(task: "emit" | "drain") {
  const child = Bun.spawn([process.execPath, CHILD, dir, task], {
    stdout: "pipe",
    stderr: "inherit",
    env: process.env,
  });
  await child.stdout.getReader().read();
  return child;
}

function countCauses(): number {
  const db = new Database(join(dir, "main.db"), { readonly: true });
  const { count } = db.query<{ count: number }, []>("SELECT count(*) AS count FROM causes").get() ?? { count: 0 };
  db.close();
  return count;
}

test("killed at any moment, a node delivers every event whose cause is on disk, and no other", async () => {
  const receiver = startReceiver();
  receiver.answer = async () => {
    await Bun.sleep(Math.random() * 4);
    return new Response("ok");
  };
  await prepare(receiver.url);
  // A busy machine gets little done between two kills; it is killed more often then.
  for (let round = 0; round < ROUNDS || (countCauses() <= ROUNDS && round < 20 * ROUNDS); round++) {
    const child = await start("emit");
    await Bun.sleep(30 + Math.random() * 120);
    child.kill("SIGKILL");
    await child.exited;
  }
  expect(await (await start("drain")).exited).toBe(0);
  await receiver.stop();

  const db = new Database(join(dir, "main.db"), { readonly: true });
  const causes = db.query<{ number: number }, []>("SELECT number FROM causes ORDER BY number").all();
  expect(causes.length).toBeGreaterThan(ROUNDS);
  for (const path of ["/one", "/two"]) {
    const got = receiver.got.filter((request) => request.path === path);
    const arrived = new Set(got.map(({ json }) => Number(json.data.app_id)));
    expect([...arrived].sort((left, right) => left - right)).toEqual(causes.map(({ number }) => number));
    // What came twice is the same event, byte for byte.
    expect(new Set(got.map(({ body }) => body)).size).toBe(causes.length);
    expect(new Set(got.map(({ headers }) => headers.get("webhook-id"))).size).toBe(causes.length);
  }
  const pending = db.query("SELECT COUNT(*) AS n FROM webhook_deliveries WHERE status <> 'delivered'").get();
  expect(pending).toEqual({ n: 0 });
  db.close();
}, 180_000);
