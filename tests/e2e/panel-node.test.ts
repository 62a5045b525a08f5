import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { NODE_BINARY, type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { type Client, createClient, setUp, signIn as signInOwner } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { until } from "../kit/until.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery staple" };
/** A route that the community plan does not have. */
const GATED = "GET /api/alerting/predictions";

suite("a compiled node and its compiled panel", [], () => {
  let panel: NodeProcess;
  let node: NodeProcess;
  let ada: Client;
  let owner: Client;
  let agentPort = 0;

  const startPanel = async (dataDir?: string) => {
    panel = await startNode({
      binary: PANEL_BINARY,
      env: {
        CP_PUBLIC_URL: "https://panel.example",
        CP_AGENT_NAMES: "127.0.0.1",
        CP_AGENT_LISTEN: `127.0.0.1:${agentPort}`,
      },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    agentPort = Number(panel.log.find(({ msg }) => msg === "listening")?.["agent_port"]);
  };
  const signIn = async () => {
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    ada = createClient(panel.url, token);
  };
  const status = () => owner.ok("GET /api/cp/status");
  /** Asks for heartbeats until the node stands as wanted. */
  const untilPhase = (phase: string) =>
    until(async () => (await owner.ok("POST /api/cp/heartbeat")).phase === phase, {
      everyMs: 200,
      what: `the phase ${phase}`,
    });
  /** The command line, beside the running node. */
  async function orrery(argv: string[]) {
    const child = Bun.spawn([NODE_BINARY, ...argv, "--data", node.dataDir], {
      stdout: "pipe",
      stderr: "pipe",
      env: {},
    });
    const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, text: out + error };
  }
  const line = async (): Promise<string> => (await ada.ok("POST /api/onboarding/enroll-token")).command;
  const words = (command: string) => command.split(" ").slice(1);

  beforeAll(async () => {
    await startPanel();
    await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    await signIn();
    node = await startNode({ env: { ORRERY_PANEL_COMMANDS: '{"where am I":["uname","-s"]}' } });
    owner = await setUp(node.url);
  });
  afterAll(async () => {
    await node?.dispose();
    await panel?.dispose();
  });

  test("the printed line makes it part of the fleet while it runs", async () => {
    expect((await status()).phase).toBe("none");
    const command = await line();
    const { code, text } = await orrery(words(command));
    expect(text).toContain("its first heartbeat has been answered");
    expect(code).toBe(0);
    expect(await status()).toMatchObject({ phase: "connected", plan: "community", panel_url: "https://panel.example" });
    const again = await orrery(words(command));
    expect(again.code).toBe(1);
    expect(again.text).toContain("belongs to a panel already");
    const { instance_id } = await status();
    const [instance] = await ada.ok("GET /api/fleet/instances");
    expect(instance).toMatchObject({ id: instance_id, status: "online", version: expect.any(String) });
    const audit = await owner.ok("GET /api/audit/logs?action=panel.");
    expect(audit[0]).toMatchObject({ action: "panel.connected", details: { by: "host" } });
  });

  test("a plan changed on the panel unlocks a gated route without a restart", async () => {
    expect((await owner.call(GATED)).status).toBe(402);
    const db = new Database(join(panel.dataDir, "panel.db"));
    db.run("PRAGMA busy_timeout = 5000");
    db.run("UPDATE tenants SET plan = 'pro'");
    db.close();
    await until(
      async () => {
        await owner.ok("POST /api/cp/heartbeat");
        return (await owner.call(GATED)).status === 200;
      },
      { everyMs: 300, what: "the unlocked route" },
    );
    expect(await status()).toMatchObject({ plan: "pro", plan_from: "panel" });
  });

  test("it outlives its panel, keeps the plan through a restart of its own, and is back when the panel is", async () => {
    await panel.kill();
    await untilPhase("retrying");
    expect((await status()).last_error).toContain("cannot be reached");
    await node.kill();
    node = await startNode({ dataDir: node.dataDir });
    owner = await signInOwner(node.url);
    expect(await status()).toMatchObject({ plan: "pro" });
    expect((await owner.call(GATED)).status).toBe(200);
    await startPanel(panel.dataDir);
    await untilPhase("connected");
    await signIn();
  });

  test("deleted on the panel, it stops and says so; a new line brings it back in its place", async () => {
    const { instance_id } = await status();
    await ada.ok(`DELETE /api/fleet/instances/${instance_id}`);
    await untilPhase("deleted");
    expect(await status()).toMatchObject({
      plan: "community",
      last_error: expect.stringContaining("deleted from its fleet"),
    });
    expect((await owner.call(GATED)).status).toBe(402);
    const copied = await line();
    expect(await owner.ok("POST /api/cp/connect", { line: copied })).toMatchObject({ instance_id });
    await untilPhase("connected");
    expect((await orrery(["disconnect"])).text).toContain("belongs to no panel any more");
    await until(async () => (await status()).phase === "none", { what: "the end of the link" });
  });
});
