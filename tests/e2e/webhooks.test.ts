import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { createServer } from "node:net";
import { type AppsNode, startAppsNode } from "../kit/apps.ts";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { type Client, setUp, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { type Received, type Receiver, startReceiver } from "../kit/receiver.ts";
import { until } from "../kit/until.ts";

const ALLOW = { SERVICE_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };
const NO_ENGINE = { ORRERY_DOCKER_SOCKET: "/nonexistent/docker.sock" };

/** Checks both signatures as a receiver would that was written from the documents alone. */
function isGenuine(secret: string, { headers, body }: Received): boolean {
  const plain = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const content = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
  const standard = `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  return headers.get("x-service-signature") === plain && headers.get("webhook-signature") === standard;
}

suite("webhooks of a node with apps", ["docker", "registry", "images"], () => {
  let apps: AppsNode;
  let receiver: Receiver;
  let secret: string;
  beforeAll(async () => {
    receiver = startReceiver();
    apps = await startAppsNode(ALLOW);
    ({ secret } = await apps.owner.ok("POST /api/webhooks", { url: receiver.url, events: ["*"] }));
  });
  afterAll(async () => {
    await apps?.dispose();
    await receiver?.stop();
  });

  test("the life of an app arrives, signed in both ways, also what ended while the node was dead", async () => {
    const name = apps.freshName("hook");
    const { id } = await apps.installed("test-web", name);
    await apps.owner.ok(`POST /api/apps/${id}/stop`);
    await apps.reaches(id, "stopped");
    const types = () => receiver.got.map(({ json }) => json.type);
    await until(() => types().includes("app.stopped"), { what: "app.stopped" });
    const removal = await apps.owner.ok(`DELETE /api/apps/${id}?delete_data=true`);
    await apps.crash();
    await apps.follow(removal.op_id);
    await until(() => types().includes("app.uninstalled"), { what: "app.uninstalled" });
    expect([...new Set(types())]).toEqual(["app.installed", "app.stopped", "app.uninstalled"]);
    const { node_id } = await apps.owner.ok("GET /api/system/info");
    for (const got of receiver.got) {
      expect(isGenuine(secret, got)).toBe(true);
      expect(Object.keys(got.json)).toEqual(["id", "type", "timestamp", "instance_id", "data"]);
      expect(got.json).toMatchObject({ instance_id: node_id, data: { app_id: id, name, template: "test-web" } });
      expect(Object.keys(got.json.data)).toEqual(["app_id", "name", "template", "status"]);
    }
  });
});

suite("webhooks of a node that is killed, and what they may reach", [], () => {
  let node: NodeProcess;
  let owner: Client;
  let receiver: Receiver;
  const restart = async (env: Record<string, string> = ALLOW) => {
    node = await startNode({ dataDir: node.dataDir, env: { ...NO_ENGINE, ...env } });
    owner = await signIn(node.url);
  };
  beforeAll(async () => {
    receiver = startReceiver();
    node = await startNode({ env: { ...NO_ENGINE, ...ALLOW } });
    owner = await setUp(node.url);
  });
  afterAll(async () => {
    await node?.dispose();
    await receiver?.stop();
  });

  test("kill -9 between answers: everything that was accepted arrives, with its own id each", async () => {
    receiver.answer = async () => {
      await Bun.sleep(5);
      return new Response("ok");
    };
    const { id } = await owner.ok("POST /api/webhooks", { url: receiver.url, events: ["*"] });
    const accepted: string[] = [];
    for (let round = 0; round < 3; round++) {
      const sends = Array.from({ length: 40 }, () =>
        owner.ok(`POST /api/webhooks/${id}/test`).then(
          ({ event_id }) => void accepted.push(event_id),
          () => {},
        ),
      );
      await until(() => receiver.got.length > round * 10 + 5, { everyMs: 1, what: "the first deliveries" });
      await node.kill();
      await Promise.all(sends);
      await restart();
    }
    const arrived = () => new Set(receiver.got.map(({ json }) => json.id));
    await until(() => accepted.every((event) => arrived().has(event)), { what: "everything that was accepted" });
    expect(accepted.length).toBeGreaterThan(20);
    for (const event of arrived()) {
      const bodies = receiver.got.filter(({ json }) => json.id === event).map(({ body }) => body);
      expect(new Set(bodies).size).toBe(1);
    }
  });

  test("without a permitted range nothing on this machine is reached, by address or by name", async () => {
    const seen = { connections: 0 };
    const trap = createServer((socket) => {
      seen.connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => trap.listen(0, "127.0.0.1", done));
    const address = trap.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { id } = await owner.ok("POST /api/webhooks", { url: `http://127.0.0.1:${port}/`, events: ["*"] });
    const own = await owner.call("POST /api/webhooks", { url: `${node.url}/api/auth/login`, events: ["*"] });
    expect([own.status, own.body.params.reason]).toEqual([400, "blocked_address"]);

    await node.stop();
    const proxy = `http://127.0.0.1:${port}`;
    await restart({ HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, https_proxy: proxy });
    for (const url of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://[::ffff:7f00:1]:${port}/`])
      expect((await owner.call("POST /api/webhooks", { url, events: ["*"] })).status).toBe(400);
    const delivery = await owner.ok(`POST /api/webhooks/${id}/test`);
    const ended = await until(async () => {
      const now = await owner.ok(`GET /api/webhooks/${id}/deliveries/${delivery.id}`);
      return now.status === "failed" && now;
    });
    expect(ended.last_attempt.error).toContain("SERVICE_WEBHOOK_ALLOW_CIDRS");
    expect(seen.connections).toBe(0);
    await new Promise((done) => trap.close(done));
  });
});
