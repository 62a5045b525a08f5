import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { startImageEngine } from "../../../../tests/kit/image-engine.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { until } from "../../../../tests/kit/until.ts";
import { appLabels, nodeId } from "../apps/blueprint/names.ts";
import { ensureSecrets, readSecrets, renewSecrets } from "../apps/blueprint/secrets.ts";

let node: TestNode;
const engine = startImageEngine();
beforeEach(() => {
  node = createTestNode({ docker_socket: engine.socket });
});
afterEach(() => node.close());
afterAll(() => engine.stop());

/** A container of an app with two secrets, one of them renewed, and a password that was answered; and what it shows of all three. */
async function seed() {
  const { db, seal, runtime } = node.ctx;
  const { manifest } = await node.ctx.templates.load("whoami");
  const inputs = [{ key: "LOGIN", type: "password" }];
  const config = JSON.stringify({ inputs: { LOGIN: "answered-by-ada" } });
  await seedApp(node, "shop", { manifest: JSON.stringify({ ...manifest, inputs }), config });
  ensureSecrets(node.ctx, "app_shop", [{ key: "WORD", label: "Word", kind: "password", bytes: 24, rotatable: true }]);
  const former = readSecrets({ db, seal }, "app_shop")[0]?.value ?? "";
  renewSecrets({ db, seal }, "app_shop", { WORD: "the-new-one-of-it" });
  const secrets = [former, "the-new-one-of-it", "answered-by-ada"];
  engine.containers.length = 0;
  engine.run(
    "orrery-shop-web",
    "web:1",
    { ...appLabels(nodeId(seal), "app_shop"), hint: secrets.join(" and ") },
    "sha256:1",
  );
  const made = engine.containers[0];
  if (!made) throw new Error("it was just made");
  made.more = {
    Config: {
      Image: "web:1",
      Env: [...secrets.map((secret, at) => `GREETING_${at}=hello ${secret}`), "TZ=Europe/Berlin"],
      Entrypoint: ["serve"],
      Cmd: secrets.map((secret) => `--greet=${secret}`),
    },
    HostConfig: { RestartPolicy: { Name: "no" }, Memory: 0 },
    NetworkSettings: { Networks: {} },
    State: {
      Running: false,
      FinishedAt: "",
      StartedAt: "",
      ExitCode: 1,
      OOMKilled: false,
      Error: `cannot find ${secrets[1]}`,
    },
    RestartCount: 0,
  };
  runtime.start();
  await until(() => runtime.engine() !== null, { what: "the engine" });
  return { id: made.id, secrets };
}

test("nobody sees the secrets of an app on its containers, whatever they are called", async () => {
  const { id, secrets } = await seed();
  const { body } = await node.call("POST /api/keys", { as: "admin", body: { name: "k", scopes: "apps" } });
  for (const caller of [{ headers: { "x-api-key": body.key } }, { as: "admin" as const }]) {
    const detail = await node.call(`GET /api/containers/${id}`, caller);
    expect(detail.body).toMatchObject({
      environment: [
        { name: "GREETING_0", value: null },
        { name: "GREETING_1", value: null },
        { name: "GREETING_2", value: null },
        { name: "TZ", value: "Europe/Berlin" },
      ],
      command: ["serve", "--greet=••••", "--greet=••••", "--greet=••••"],
      labels: { hint: "•••• and •••• and ••••" },
      error: "cannot find ••••",
    });
    const list = JSON.stringify((await node.call("GET /api/containers", caller)).body);
    expect(list).toContain("•••• and");
    expect(secrets.filter((secret) => list.includes(secret) || JSON.stringify(detail.body).includes(secret))).toEqual(
      [],
    );
  }
});
