import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { SwarmSummary } from "../../src/panel/agents/swarm/index.ts";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { type Client, createClient } from "../kit/client.ts";
import { until } from "../kit/until.ts";

const NODES = 24;
const ADA = { email: "ada@example.org", password: "correct horse battery" };
const env = { CP_ENROL_RATE: "1000", CP_DEFAULT_PLAN: "enterprise" };

let panel: NodeProcess | null = null;
afterAll(() => panel?.dispose());

const listening = (name: string) => String(panel?.log.find(({ msg }) => msg === "listening")?.[name]);
const signIn = async (url: string): Promise<Client> =>
  createClient(url, (await createClient(url).ok("POST /api/auth/login", ADA)).token);
const counts = async (ada: Client): Promise<Record<string, number>> =>
  (await ada.ok("GET /api/fleet/instances/page?per_page=1")).facets.status;

/** Begins a swarm; `end` resolves with what it said once it is over, which Ctrl+C brings about. */
function startSwarm(...options: string[]) {
  const child = Bun.spawn([PANEL_BINARY, "swarm", ...options], { stdout: "pipe", stderr: "pipe" });
  const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const end = async () => ({ code: await child.exited, text: (await said).join("") });
  return { end, interrupt: () => child.kill("SIGINT") };
}
const runSwarm = (...options: string[]) => startSwarm(...options).end();

test("a swarm enrols, lives through the kill of its panel, and comes back with the keys it kept", async () => {
  panel = await startNode({ binary: PANEL_BINARY, env });
  const { dataDir } = panel;
  await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
  let ada = await signIn(panel.url);
  const { token } = await ada.ok("POST /api/fleet/tokens", { name: "Swarm", max_uses: NODES });
  const port = listening("agent_port");
  const target = [
    "--panel",
    `https://127.0.0.1:${port}`,
    "--nodes",
    `${NODES}`,
    "--state",
    join(dataDir, "swarm.json"),
  ];
  const swarm = startSwarm(
    ...[...target, "--token", token, "--pin", listening("agent_pin"), "--rate", "30", "--duration", "100"],
    ...["--fail", "flapping:8,lost-replies:4", "--json"],
  );
  await until(async () => {
    const { online = 0, degraded = 0 } = await counts(ada);
    return online + degraded === NODES;
  });
  // Of the flapping ones every turn is a hot one or none.
  expect((await counts(ada))["degraded"]).toBeLessThanOrEqual(8);

  await panel.kill();
  const killedAt = Date.now();
  panel = await startNode({ binary: PANEL_BINARY, dataDir, env: { ...env, CP_AGENT_LISTEN: `127.0.0.1:${port}` } });
  ada = await signIn(panel.url);
  // Nobody is missed because the panel was away.
  expect(await counts(ada)).toMatchObject({ offline: 0, pending: 0 });
  await until(async () => {
    const { items } = await ada.ok(`GET /api/fleet/instances/page?per_page=${NODES}`);
    return items.every(({ last_heartbeat }: { last_heartbeat: string }) => Date.parse(last_heartbeat) > killedAt);
  });
  swarm.interrupt();
  const { text, code } = await swarm.end();
  const summary: SwarmSummary = JSON.parse(text);
  expect(summary).toMatchObject({
    nodes: NODES,
    connected: expect.any(Number),
    scenarios: { flapping: 8, "lost-replies": 4 },
  });
  expect(summary.answered).toBeGreaterThan(NODES / 2);
  // None had hung up by itself, and all came back.
  expect(summary.reconnect_ms).toBeGreaterThan(0);
  // While the panel was away, and for no other reason.
  expect(Object.keys(summary.failures).filter((reason) => !["unreachable", "dropped"].includes(reason))).toEqual([]);
  expect(code).toBe(Object.keys(summary.failures).length === 0 ? 0 : 1);

  const again = await runSwarm(...target, "--duration", "0.5");
  expect(again.text).toContain(`${NODES} of ${NODES} nodes connected`);
  expect(again.text).toContain("failures    none");
  expect(again.code).toBe(0);
});

test("without a token or a pin it says what is missing", async () => {
  const missing = await runSwarm("--panel", "https://127.0.0.1:1");
  expect([missing.code, missing.text]).toEqual([2, expect.stringContaining("--token")]);
  const wrong = await runSwarm("--panel", "panel.example.org");
  expect([wrong.code, wrong.text]).toEqual([2, expect.stringContaining("https://")]);
});
