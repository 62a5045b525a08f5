import { afterAll, beforeAll, expect, test } from "bun:test";
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
    // A machine that is busy with tests may well be called degraded.
    expect(["online", "degraded"]).toContain(instance.status);
    expect(instance).toMatchObject({ id: instance_id, version: expect.any(String), ip_addresses: expect.any(Array) });
    const audit = await owner.ok("GET /api/audit/logs?action=panel.");
    expect(audit[0]).toMatchObject({ action: "panel.connected", details: { by: "host" } });
  });

  test("a plan changed on the panel unlocks a gated route without a restart", async () => {
    expect((await owner.call(GATED)).status).toBe(402);
    const {
      workspaces: [workspace],
    } = await ada.ok("GET /api/workspaces");
    const change = ["plan", "--workspace", workspace.id, "--plan", "pro", "--data", panel.dataDir];
    expect(await Bun.spawn([PANEL_BINARY, ...change], { stdout: "ignore", env: {} }).exited).toBe(0);
    await until(
      async () => {
        await owner.ok("POST /api/cp/heartbeat");
        return (await owner.call(GATED)).status === 200;
      },
      { everyMs: 300, what: "the unlocked route" },
    );
    expect(await status()).toMatchObject({ plan: "pro", plan_from: "panel" });
  });

  test("commands reach it at once and come back with what became of them", async () => {
    const { instance_id } = await status();
    const run = async (command: string, params: Record<string, unknown>) => {
      const { commands } = await ada.ok("POST /api/fleet/commands", { instance_ids: [instance_id], command, params });
      const find = async () =>
        (await ada.ok("GET /api/fleet/commands")).commands.find(({ id }: { id: string }) => id === commands[0].id);
      return until(async () => {
        const found = await find();
        return found.finished_at !== null && found;
      });
    };
    const begun = performance.now();
    expect(await run("run_command", { command: "where am I" })).toMatchObject({ status: "succeeded", output: "Linux" });
    // Heartbeats are 20 seconds apart; the stream does not wait for them.
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(await run("run_command", { command: "rm" })).toMatchObject({ status: "refused" });
    expect(await run("app.restart", { app_id: "app_none" })).toMatchObject({ status: "refused" });
    const audit = await owner.ok("GET /api/audit/logs?action=panel.command_run");
    expect(audit.map(({ details }: { details: { status: string } }) => details.status)).toEqual([
      "refused",
      "refused",
      "succeeded",
    ]);
  });

  test("its log is read through the session that it holds", async () => {
    const { instance_id } = await status();
    const read = async (query: string) => {
      const path = `/api/fleet/instances/${instance_id}/logs/stream?follow=false&${query}`;
      const events = await ada.stream(path, ({ event }) => event === "end" || event === "error");
      return events.map(({ event, data }) => (event === "error" ? `error ${data.code}` : event));
    };
    const [first, ...rest] = await read("lines=5");
    expect(first).toBe("ready");
    // What there is to read depends on the machine: it has a journal, or the node says that it has none.
    expect(["end", "error logs_unavailable"]).toContain(rest.at(-1) ?? "");
    expect(await read("app=none")).toEqual(["ready", "error app_not_found"]);
  });

  test("it outlives its panel, keeps the plan through a restart of its own, and is back when the panel is", async () => {
    await panel.kill();
    await until(async () => (await status()).phase === "retrying", { what: "the panel's absence to be noticed" });
    await until(async () => (await status()).last_error.includes("cannot be reached"), { what: "a try that failed" });
    await node.kill();
    node = await startNode({ dataDir: node.dataDir });
    owner = await signInOwner(node.url);
    expect(await status()).toMatchObject({ plan: "pro" });
    expect((await owner.call(GATED)).status).toBe(200);
    await startPanel(panel.dataDir);
    await signIn();
    const { instance_id } = await status();
    const isConnected = async () =>
      (await ada.ok(`GET /api/fleet/instances/${instance_id}/detail`)).facts.agent_connected;
    await untilPhase("connected");
    expect(await isConnected()).toBe(true);
    await node.kill();
    await until(async () => !(await isConnected()), { what: "the end of its session to be seen" });
    node = await startNode({ dataDir: node.dataDir });
    owner = await signInOwner(node.url);
    await until(isConnected, { what: "the session of the node that is back" });
  });

  test("deleted on the panel, it stops and says so; a new line brings it back in its place", async () => {
    const { instance_id } = await status();
    await ada.ok(`DELETE /api/fleet/instances/${instance_id}`);
    await until(async () => (await status()).phase === "deleted", { what: "the node's own word of its end" });
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
