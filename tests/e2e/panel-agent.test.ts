import { afterAll, beforeAll, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSeal, loadSealKey } from "../../src/kernel/seal.ts";
import { createSqlDb } from "../../src/kernel/sql/create-db.ts";
import { openPostgres } from "../../src/kernel/sql/postgres-driver.ts";
import { openSqlite } from "../../src/kernel/sql/sqlite-driver.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { days } from "../../src/lib/duration.ts";
import { splitCertificates } from "../../src/lib/pem.ts";
import { createNodes } from "../../src/panel/agents/nodes/index.ts";
import { parseCsr } from "../../src/panel/agents/pki/index.ts";
import { openSystem } from "../../src/panel/data/tenant-db.ts";
import { createTenants } from "../../src/panel/people/tenants/index.ts";
import { createAgentClient, fetchPinnedRoot } from "../../src/shared/agent-client/index.ts";
import { AGENT_PATHS, type HeartbeatInput } from "../../src/shared/agent-protocol/index.ts";
import { verifyLicense } from "../../src/shared/license/index.ts";
import { connectAgent, makeNodeKey } from "../kit/agent-client.ts";
import { heartbeatBody, registerBody } from "../kit/agent-panel.ts";
import { createTestAuthority } from "../kit/authority.ts";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { type Client, createClient } from "../kit/client.ts";
import { createFakeClock } from "../kit/fake-clock.ts";
import { createMemoryLive } from "../kit/memory-live.ts";
import { openSsl, withFiles } from "../kit/openssl.ts";
import { createPanelBase } from "../kit/panel-base.ts";
import { createPostgresDatabase } from "../kit/postgres.ts";
import { onEachEngine } from "../kit/sql-databases.ts";
import { createTestLog } from "../kit/test-log.ts";
import { until } from "../kit/until.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery" };
const { register, renew, heartbeat } = AGENT_PATHS;

/** A key and a request as openssl makes them. */
const foreignCsr = (): { keyPem: string; csr: string } =>
  withFiles({}, (folder) => {
    const key = join(folder, "key.pem");
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
    openSsl(["req", "-new", ...curve, "-subj", "/CN=whatever", "-out", join(folder, "csr.pem")]);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    return { keyPem: read("key.pem"), csr: read("csr.pem") };
  });

onEachEngine("nodes of the compiled panel", (engine) => {
  let panel: NodeProcess;
  let env: Record<string, string> = {};
  let ada: Client;
  let ca = "";
  /** The node of these tests, as it stands. */
  const node = { cert: "", key: "" };

  const port = () => Number(panel.log.find(({ msg }) => msg === "listening")?.["agent_port"]);
  const pin = () => String(panel.log.find(({ msg }) => msg === "listening")?.["agent_pin"]);
  const connect = (credential: Partial<typeof node> = node) => connectAgent({ port: port(), ca, ...credential });
  const trust = () => ({ ca, credential: { certificate: node.cert, key: node.key } });
  const beat = () => heartbeatBody() as HeartbeatInput;
  const signIn = async () => {
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    ada = createClient(panel.url, token);
  };
  const makeToken = async (): Promise<string> => (await ada.ok("POST /api/onboarding/enroll-token")).token;

  beforeAll(async () => {
    env = {
      CP_ENROL_RATE: "1000",
      ...(engine === "sqlite" ? {} : { CP_DATABASE_URL: await createPostgresDatabase() }),
    };
    panel = await startNode({ binary: PANEL_BINARY, env });
    await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    await signIn();
  });
  afterAll(() => panel.dispose());

  test("the printed line enrols a server that openssl made the key for, and its first heartbeat is told", async () => {
    const { command, token } = await ada.ok("POST /api/onboarding/enroll-token", { ttl_minutes: 5 });
    expect(command).toBe(`orrery-node connect --panel https://127.0.0.1:${port()} --token ${token} --pin ${pin()}`);
    ca = await fetchPinnedRoot(systemClock, { host: "127.0.0.1", port: port() }, pin(), 5_000);
    const wrong = await fetchPinnedRoot(
      systemClock,
      { host: "127.0.0.1", port: port() },
      `${pin().slice(0, -1)}g`,
      5_000,
    )
      .then(() => "trusted")
      .catch(({ kind }) => kind);
    expect(wrong).toBe("pin_mismatch");
    const { keyPem, csr } = foreignCsr();
    const stranger = await connect({});
    const reply = await stranger.call(register, registerBody(token, csr));
    stranger.socket.destroy();
    expect(reply?.status).toBe(200);
    Object.assign(node, { cert: reply?.body.signed_certificate, key: keyPem });
    expect(reply?.body.ca_certificate).toBe(ca);
    expect(verifyLicense(reply?.body.license_token, ca, Date.now())?.plan).toBe("community");
    const [leaf = "", intermediate = ""] = splitCertificates(node.cert);
    withFiles({ "leaf.pem": leaf, "mid.pem": intermediate, "ca.pem": ca }, (folder) => {
      const chain = ["-CAfile", `${folder}/ca.pem`, "-untrusted", `${folder}/mid.pem`, `${folder}/leaf.pem`];
      expect(openSsl(["verify", "-x509_strict", "-purpose", "sslclient", ...chain])).toContain("OK");
    });

    const told = ada.ok("GET /api/onboarding/first-heartbeat?timeout=20");
    const streamed = ada.stream("/api/onboarding/first-heartbeat?stream=1&timeout=20", () => true);
    const agentConnected = async () => (await ada.ok("GET /api/fleet/instances/node-1/detail")).facts.agent_connected;
    expect(await agentConnected()).toBe(false);
    const client = createAgentClient(systemClock, { host: "127.0.0.1", port: port() }, trust());
    expect(await client.heartbeat(beat())).toMatchObject({ commands: [], ca_certificate: ca });
    expect(await agentConnected()).toBe(true);
    expect(await told).toMatchObject({ connected: true, instance: { id: "node-1", hostname: "h", status: "online" } });
    expect((await streamed)[0]).toMatchObject({ event: "heartbeat", data: { id: "node-1" } });
    client.close();
    await until(async () => !(await agentConnected()), { what: "the end of its session to be seen" });
    // A plain heartbeat is one like any other, and no session.
    const call = await (await connect()).call(heartbeat, heartbeatBody());
    expect(call?.body).toMatchObject({ commands: [] });
    expect(await agentConnected()).toBe(false);
  });

  test("a token used by fifty connections at once enrols one server", async () => {
    const token = await makeToken();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const client = await connect({});
        const reply = await client.call(register, registerBody(token, makeNodeKey().csr, { instance_id: `many-${i}` }));
        client.socket.destroy();
        return reply?.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(49);
  });

  test("an id of another workspace is refused", async () => {
    const bob = { email: "bob@example.org", password: ADA.password };
    await createClient(panel.url).ok("POST /api/auth/register", { ...bob, name: "Bob" });
    const session = await createClient(panel.url).ok("POST /api/auth/login", bob);
    const { token } = await createClient(panel.url, session.token).ok("POST /api/onboarding/enroll-token");
    const client = await connect({});
    const reply = await client.call(register, registerBody(token, makeNodeKey().csr));
    expect(reply).toMatchObject({ status: 409, body: { code: "node_elsewhere", params: {} } });
  });

  test("a renewed certificate takes over when it is used, and a kill forgets nothing", async () => {
    const client = createAgentClient(systemClock, { host: "127.0.0.1", port: port() }, trust());
    const before = pin();
    const { keyPem, csr } = makeNodeKey();
    const renewed = await client.renew({ csr });
    client.close();
    await panel.kill();
    panel = await startNode({ binary: PANEL_BINARY, env, dataDir: panel.dataDir });
    expect(pin()).toBe(before);
    const old = await connect();
    expect((await old.call(heartbeat, heartbeatBody()))?.status).toBe(200);
    const fresh = { cert: renewed.signed_certificate, key: keyPem };
    expect((await (await connect(fresh)).call(heartbeat, heartbeatBody()))?.status).toBe(200);
    const refused = await old.call(heartbeat, heartbeatBody());
    expect(refused).toMatchObject({ status: 401, body: { code: "certificate_superseded" } });
    Object.assign(node, fresh);
    await signIn();
  });

  test("a command reaches a waiting server at once, outlives a kill, and its result is kept", async () => {
    const heard: number[] = [];
    const first = createAgentClient(systemClock, { host: "127.0.0.1", port: port() }, trust(), {
      onWake: () => void heard.push(performance.now()),
    });
    expect((await first.heartbeat(beat())).commands).toEqual([]);
    const from = performance.now();
    const body = { instance_ids: ["node-1"], command: "restart", params: { app_id: "app_1" } };
    const { commands } = await ada.ok("POST /api/fleet/commands", body);
    await until(() => heard.length > 0, { everyMs: 1, what: "the call of the panel" });
    expect((heard[0] ?? 0) - from).toBeLessThan(5_000);
    const [{ id }] = commands;
    const given = (await first.heartbeat(beat())).commands;
    expect(given).toMatchObject([{ id, type: "app.restart", payload: { app_id: "app_1" } }]);
    first.close();

    await panel.kill();
    panel = await startNode({ binary: PANEL_BINARY, env, dataDir: panel.dataDir });
    await signIn();
    const again = createAgentClient(systemClock, { host: "127.0.0.1", port: port() }, trust());
    expect((await again.heartbeat(beat())).commands).toEqual(given);
    const results = [{ id, status: "succeeded" as const, output: "restarted" }];
    expect((await again.heartbeat({ ...beat(), results })).commands).toEqual([]);
    // What was acknowledged is on disk.
    await panel.kill();
    again.close();
    panel = await startNode({ binary: PANEL_BINARY, env, dataDir: panel.dataDir });
    await signIn();
    expect(await ada.ok(`GET /api/fleet/commands/${id}`)).toMatchObject({ status: "succeeded", output: "restarted" });
  });

  test("the operator changes a plan and the authority beside the running panel", async () => {
    const run = (...argv: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([PANEL_BINARY, ...argv, "--data", panel.dataDir], { env });
      return `${exitCode} ${stdout}${stderr}`;
    };
    const me = await ada.ok("GET /api/auth/me");
    expect(run("workspaces")).toContain(`${me.tenant_id}  free  2 nodes`);
    const client = createAgentClient(systemClock, { host: "127.0.0.1", port: port() }, trust());
    const planOf = (token?: string) => verifyLicense(token ?? "", ca, Date.now())?.plan;
    expect(planOf((await client.heartbeat(beat())).license_token)).toBe("community");
    expect(run("plan", "--workspace", me.tenant_id, "--plan", "team")).toContain("before on free");
    await until(async () => planOf((await client.heartbeat(beat())).license_token) === "pro", { everyMs: 200 });
    client.close();
    expect(run("plan", "--workspace", "ten_none", "--plan", "pro")).toStartWith("1 orrery-panel plan: there is no");
    expect(run("plan", "--workspace", me.tenant_id, "--plan", "gold")).toStartWith("2 ");

    expect(run("ca")).toContain(pin());
    expect(run("ca", "--change", "root")).toContain("signs from");
    expect(run("ca", "--change", "root")).toContain("running already");
    // The panel that runs hears of it within seconds, and one that starts has it.
    const follower = createAgentClient(systemClock, { host: "127.0.0.1", port: port() }, trust());
    const roots = async () => splitCertificates((await follower.heartbeat(beat())).ca_certificate ?? "").length;
    await until(async () => (await roots()) === 2, { everyMs: 1_000 });
    follower.close();
    await panel.stop();
    panel = await startNode({ binary: PANEL_BINARY, env, dataDir: panel.dataDir });
    const told = await (await connect()).call(heartbeat, heartbeatBody());
    expect(splitCertificates(told?.body.ca_certificate)).toHaveLength(2);
    expect(run("ca", "--roll-back")).toContain(pin());
    expect(run("ca", "--roll-back")).toContain("no change is running");
    await signIn();
  });

  test("expired and foreign certificates are refused before any byte of HTTP", async () => {
    const foreign = await createTestAuthority(createFakeClock(Date.now()));
    const { keyPem, csr } = makeNodeKey();
    const subject = { tenantId: "ten", nodeId: "node-1", publicKey: parseCsr(csr).publicKey };
    const past = await issueInThePast(panel.dataDir, env["CP_DATABASE_URL"] ?? "", subject);
    for (const cert of [foreign.issueClient(subject).chain, past]) {
      const client = await connect({ cert, key: keyPem });
      expect(await client.call(renew, { csr })).toBeNull();
      expect(client.received()).toBe("");
    }
  });

  test("a deleted server is cut off at once and stays out", async () => {
    const client = await connect();
    expect((await client.call(heartbeat, heartbeatBody()))?.status).toBe(200);
    const from = performance.now();
    await ada.ok("DELETE /api/fleet/instances/node-1");
    await client.closed;
    expect(performance.now() - from).toBeLessThan(5_000);
    const again = await (await connect()).call(renew, { csr: makeNodeKey().csr });
    expect(again).toMatchObject({ status: 403, body: { code: "node_deleted" } });
    const back = await (await connect()).call(register, registerBody(await makeToken(), makeNodeKey().csr));
    expect(back?.status).toBe(200);
  });
});

/** A certificate that the panel's own authority made a hundred days ago. */
async function issueInThePast(
  dataDir: string,
  databaseUrl: string,
  subject: { tenantId: string; nodeId: string; publicKey: Uint8Array },
): Promise<string> {
  const seal = createSeal(loadSealKey(join(dataDir, "panel.key"), false));
  const db = createSqlDb(
    databaseUrl === ""
      ? await openSqlite(join(dataDir, "panel.db"), systemClock)
      : await openPostgres(databaseUrl, systemClock),
  );
  const clock = createFakeClock(Date.now() - days(100));
  const { log } = createTestLog();
  const across = { ...createPanelBase(clock, { log, seal }), system: openSystem(db) };
  const nodes = createNodes({
    ...across,
    tenants: createTenants(across),
    live: createMemoryLive(clock),
  });
  await nodes.start();
  const { chain } = nodes.authority().issueClient(subject);
  await db.close();
  expect(new X509Certificate(chain).validToDate.getTime()).toBeLessThan(Date.now());
  return chain;
}
