import { afterAll, beforeAll, expect, test } from "bun:test";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { type Client, createClient, setUp, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { type OwnSwarm, startOwnSwarm } from "../kit/own-swarm.ts";
import { until } from "../kit/until.ts";

const password = "correct horse battery staple";

suite("a Docker swarm of three engines", ["docker"], () => {
  let swarm: OwnSwarm;
  let panel: NodeProcess;
  let ada: Client;
  let eve: Client;
  const nodes: { process: NodeProcess; owner: Client; id: string; engine: number }[] = [];
  let clusterId = "";

  const join = async (name: string): Promise<Client> => {
    const account = { email: `${name}@example.org`, password };
    await createClient(panel.url).ok("POST /api/auth/register", { ...account, name });
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", account);
    return createClient(panel.url, token);
  };
  /** A compiled node on that engine, enrolled by the printed line. */
  async function enrol(engine: number): Promise<void> {
    const socket = swarm.engines[engine]?.socket ?? "";
    const process = await startNode({ env: { ORRERY_DOCKER_SOCKET: socket } });
    const owner = await setUp(process.url);
    const { command } = await ada.ok("POST /api/onboarding/enroll-token");
    const { instance_id } = await owner.ok("POST /api/cp/connect", { line: command });
    nodes.push({ process, owner, id: instance_id, engine });
  }
  /** The cluster as the panel shows it, once it is as wanted; every node is asked to report. */
  // Tests look into bodies freely; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const untilTopology = (what: string, isSo: (topology: any) => boolean): Promise<any> =>
    until(
      async () => {
        for (const { owner } of nodes) await owner.call("POST /api/cp/heartbeat");
        const { status, body } = await ada.call(`GET /api/fleet/clusters/${clusterId}/topology`);
        return status === 200 && isSo(body) && body;
      },
      { everyMs: 250, timeoutMs: 60_000, what },
    );

  beforeAll(async () => {
    const env = { CP_PUBLIC_URL: "https://panel.example", CP_AGENT_NAMES: "127.0.0.1", CP_AGENT_LISTEN: "127.0.0.1:0" };
    [swarm, panel] = await Promise.all([startOwnSwarm(3), startNode({ binary: PANEL_BINARY, env })]);
    await swarm.form("worker", "worker");
    clusterId = (await swarm.engines[0]?.docker("info", "--format", "{{.Swarm.Cluster.ID}}")) ?? "";
    [ada, eve] = [await join("ada"), await join("eve")];
    await Promise.all([enrol(0), enrol(1)]);
  });
  afterAll(async () => {
    for (const { process } of nodes) await process.dispose();
    await panel?.dispose();
    await swarm?.dispose();
  });

  test("is one cluster of the workspace, seen by a manager and a worker, and nobody else's", async () => {
    const topology = await untilTopology(
      "both reports",
      ({ nodes: members, links }) =>
        // Workers do not know each other.
        links.length === 2 && members.filter(({ managed }: { managed: boolean }) => managed).length === 2,
    );
    const [manager, worker] = [0, 1].map((engine) => nodes.find((node) => node.engine === engine)?.id ?? "");
    const stranger = await swarm.engines[2]?.docker("info", "--format", "{{.Swarm.NodeID}}");
    const members = topology.nodes.map(({ key, id, role, wg_ip, managed }: Record<string, unknown>) => ({
      ...{ key, id, role, wg_ip, managed },
    }));
    expect(members).toHaveLength(3);
    expect(members).toContainEqual({
      ...{ key: manager, id: manager, role: "leader", wg_ip: swarm.addresses[0], managed: true },
    });
    expect(members).toContainEqual({
      ...{ key: worker, id: worker, role: "worker", wg_ip: swarm.addresses[1], managed: true },
    });
    expect(members).toContainEqual({
      ...{ key: `os:${stranger}`, id: null, role: "worker", wg_ip: swarm.addresses[2], managed: false },
    });
    expect(topology).toMatchObject({
      name: "default",
      primary: { id: manager },
      raft: { term: null, commit_index: null, leader: { id: manager } },
    });
    for (const link of topology.links) expect(link).toMatchObject({ state: "up", rtt_ms: expect.any(Number) });
    // A machine that is busy with tests may well be called degraded, and with it the cluster.
    expect(["ok", "degraded"]).toContain(topology.health);
    expect(await ada.ok("GET /api/fleet/clusters")).toMatchObject([{ id: clusterId, node_count: 3 }]);
    const detail = await ada.ok(`GET /api/fleet/instances/${worker}/detail`);
    expect(detail.facts.cluster).toMatchObject({ id: clusterId, role: "worker", ip: swarm.addresses[1], term: null });
    expect(await eve.ok("GET /api/fleet/clusters")).toEqual([]);
    expect((await eve.call(`GET /api/fleet/clusters/${clusterId}/topology`)).status).toBe(404);
  });

  test("a member that goes makes it degraded", async () => {
    const first = nodes.find(({ engine }) => engine === 0);
    const [leader, , lostEngine] = swarm.engines;
    if (!first || !leader || !lostEngine) throw new Error("no manager");
    const gone = await lostEngine.docker("info", "--format", "{{.Swarm.NodeID}}");
    await lostEngine.stop("SIGTERM");
    const isMissed = async () =>
      (await leader.docker("node", "inspect", "--format", "{{.Status.State}}", gone)) === "down";
    await until(isMissed, { everyMs: 200, timeoutMs: 60_000, what: "the swarm to miss a member" });
    // It would look again within a minute; a node that starts looks at once.
    await first.process.stop();
    const env = { ORRERY_DOCKER_SOCKET: swarm.engines[0]?.socket ?? "" };
    first.process = await startNode({ dataDir: first.process.dataDir, env });
    first.owner = await signIn(first.process.url);
    const topology = await untilTopology("the loss", ({ nodes: members }) =>
      members.some(({ managed, status }: Record<string, unknown>) => !managed && status === "offline"),
    );
    expect(topology.health).toBe("degraded");
    const lost = topology.links.filter(({ to }: { to: string }) => to.startsWith("os:"));
    expect(lost).toMatchObject([{ state: "down", rtt_ms: null }]);
  });
});
