import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { createPublicKey, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent, makeNodeKey, readServerChain } from "../../../../tests/kit/agent-client.ts";
import { createAgentPanel, heartbeatBody, registerBody } from "../../../../tests/kit/agent-panel.ts";
import { createTestAuthority } from "../../../../tests/kit/authority.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { openSsl, withFiles } from "../../../../tests/kit/openssl.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, minutes, seconds } from "../../../lib/duration.ts";
import { AGENT_PATHS, findPinnedRoot } from "../../../shared/agent-protocol/index.ts";

let panel: Awaited<ReturnType<typeof createAgentPanel>>;
beforeEach(async () => {
  panel = await createAgentPanel();
});
afterEach(() => panel.listener.stop());

type AgentPanel = typeof panel;
const ca = () => panel.ca();
const connect = (...more: Parameters<AgentPanel["connect"]>) => panel.connect(...more);
const enrol = (...more: Parameters<AgentPanel["enrol"]>) => panel.enrol(...more);
const beat = AGENT_PATHS.heartbeat;
const publicKeyOf = (key: KeyObject) => createPublicKey(key).export({ type: "spki", format: "der" });

test("a node enrols with its token and then speaks with its certificate on one connection", async () => {
  const { cert, key, body } = await enrol();
  expect(Object.keys(body).sort()).toEqual([
    "ca_certificate",
    "cert_expires_at",
    "cp_node_secret",
    "license_token",
    "server_time",
    "signed_certificate",
  ]);
  const node = await connect({ cert, key });
  for (let i = 0; i < 3; i++) {
    const reply = await node.call(beat, heartbeatBody({ something_newer: i }));
    expect(reply).toMatchObject({ status: 200, body: { commands: [], next_heartbeat_sec: 20 } });
  }
  expect(panel.seen).toEqual(["node-1", "node-1", "node-1"]);
});

test("without a certificate only registration is reached", async () => {
  const stranger = await connect();
  for (const path of [beat, AGENT_PATHS.renew, "/", "/api/agent/v1/register/x", "/api/fleet/instances"]) {
    const fresh = await connect();
    expect(await fresh.call(path, {})).toMatchObject({ status: 401, body: { code: "certificate_required" } });
  }
  const { csr } = makeNodeKey();
  expect(await stranger.call(AGENT_PATHS.register, registerBody("wrong", csr))).toMatchObject({
    status: 401,
    body: { code: "token_refused" },
  });
});

describe("a certificate that is not ours gets no byte of HTTP", () => {
  async function refused(cert: string, key: string) {
    const node = await connect({ cert, key });
    expect(await node.call(AGENT_PATHS.register, registerBody("t", "c"))).toBeNull();
    await node.closed;
    expect(node.received()).toBe("");
    expect(panel.listener.count()).toBe(0);
  }
  test("one of a foreign authority with the same names", async () => {
    const foreign = await createTestAuthority(createFakeClock(Date.now()));
    const { key, keyPem } = makeNodeKey();
    const subject = { tenantId: "ten_a", nodeId: "node-1", publicKey: publicKeyOf(key) };
    await refused(foreign.issueClient(subject).chain, keyPem);
  });

  test("one that signed itself", async () => {
    const { cert, key } = withFiles({}, (folder) => {
      openSsl(["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", `${folder}/k`]);
      const cert = openSsl(["req", "-x509", "-new", "-key", `${folder}/k`, "-subj", "/CN=node-1", "-days", "3"]);
      return { cert, key: openSsl(["pkcs8", "-topk8", "-nocrypt", "-in", `${folder}/k`]) };
    });
    await refused(cert, key);
  });

  test("our own server's", async () => {
    const { chain, key } = panel.authority.issueServer(["localhost"]);
    await refused(chain, key);
  });
});

test("an expired certificate is refused in the handshake", async () => {
  // Issued 100 days ago by the authority's own clock, it is over for TLS, which reads the real one.
  const clock = createFakeClock(Date.now() - days(100));
  const authority = await createTestAuthority(clock);
  const { keyPem, key } = makeNodeKey();
  const subject = { tenantId: "t", nodeId: "node-1", publicKey: publicKeyOf(key) };
  const old = authority.issueClient(subject).chain;
  clock.jump(days(100));
  const fresh = authority.issueClient(subject).chain;
  const late = await createAgentPanel(clock, authority);
  const options = { port: late.port, ca: authority.bundle().pem, key: keyPem };
  const refused = await connectAgent({ ...options, cert: old });
  expect(await refused.call(AGENT_PATHS.renew, { csr: "x" })).toBeNull();
  expect(refused.received()).toBe("");
  const heard = await connectAgent({ ...options, cert: fresh });
  expect(await heard.call(AGENT_PATHS.renew, { csr: "x" })).toMatchObject({ body: { code: "node_deleted" } });
  await late.listener.stop();
});

test("a certificate that ends while its connection lives is refused on the next request", async () => {
  const node = await connect(await enrol());
  expect((await node.call(beat, heartbeatBody()))?.status).toBe(200);
  panel.clock.jump(days(90));
  const reply = await node.call(beat, heartbeatBody());
  expect(reply).toMatchObject({ status: 401, body: { code: "certificate_expired" } });
  await node.closed;
});

test("a deleted node loses its connections within a second and is told so when it comes back", async () => {
  const mine = await enrol();
  const [first, second] = [await connect(mine), await connect(mine)];
  await first.call(beat, heartbeatBody());
  await second.call(beat, heartbeatBody());
  const other = await connect(await enrol({ instance_id: "node-2" }));
  const start = performance.now();
  panel.fleet.deleteNode("node-1");
  await Promise.all([first.closed, second.closed]);
  expect(performance.now() - start).toBeLessThan(1_000);
  const again = await connect(mine);
  expect(await again.call(AGENT_PATHS.renew, { csr: makeNodeKey().csr })).toMatchObject({
    status: 403,
    body: { code: "node_deleted" },
  });
  await again.closed;
  expect((await other.call(beat, heartbeatBody()))?.status).toBe(200);
});

test("the old certificate works until the renewed one is used, and not after", async () => {
  const old = await enrol();
  const fresh = makeNodeKey();
  const node = await connect(old);
  const renewed = await node.call(AGENT_PATHS.renew, { csr: fresh.csr });
  expect(renewed?.status).toBe(200);
  expect(Object.keys(renewed?.body).sort()).toEqual([
    "ca_certificate",
    "cert_expires_at",
    "server_time",
    "signed_certificate",
  ]);
  expect((await node.call(beat, heartbeatBody()))?.status).toBe(200);
  const next = await connect({ cert: renewed?.body.signed_certificate, key: fresh.keyPem });
  expect((await next.call(beat, heartbeatBody()))?.status).toBe(200);
  expect(await node.call(beat, heartbeatBody())).toMatchObject({
    status: 401,
    body: { code: "certificate_superseded" },
  });
});

test("whoever goes on with a certificate of no use is told to wait, and takes nothing from the node", async () => {
  const old = await enrol();
  const fresh = makeNodeKey();
  const renewed = await (await connect(old)).call(AGENT_PATHS.renew, { csr: fresh.csr });
  const next = await connect({ cert: renewed?.body.signed_certificate, key: fresh.keyPem });
  expect((await next.call(beat, heartbeatBody()))?.status).toBe(200);
  const looks = spyOn(panel.fleet.directory, "testify");
  const codes: string[] = [];
  for (let i = 0; i < 25; i++) codes.push((await (await connect(old)).call(beat, heartbeatBody()))?.body.code);
  expect(codes).toEqual([
    ...Array.from({ length: 20 }, () => "certificate_superseded"),
    ...Array.from({ length: 5 }, () => "too_many_requests"),
  ]);
  expect(looks).toHaveBeenCalledTimes(20);
  expect((await next.call(beat, heartbeatBody()))?.status).toBe(200);
  await panel.clock.advance(seconds(2));
  expect((await (await connect(old)).call(beat, heartbeatBody()))?.body.code).toBe("certificate_superseded");
});

test("registering again in place closes what the former certificate had open", async () => {
  const node = await connect(await enrol());
  await node.call(beat, heartbeatBody());
  const again = await enrol({ hardware_fingerprint: "other" });
  await node.closed;
  expect((await (await connect(again)).call(beat, heartbeatBody()))?.status).toBe(200);
});

describe("limits", () => {
  test("a body that is too large is refused, announced or not", async () => {
    const node = await connect(await enrol());
    const big = JSON.stringify(heartbeatBody({ hostname: "x".repeat(1_100_000) }));
    expect((await node.call(beat, big))?.status).toBe(413);
    await node.closed;
    const chunked = await connect();
    chunked.raw(
      `POST ${AGENT_PATHS.register} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    for (let i = 0; i < 5; i++) chunked.raw(`2000\r\n${"y".repeat(8_192)}\r\n`);
    await chunked.closed;
    expect(chunked.received()).toContain(" 413 ");
  });

  test("wrong bodies name their field", async () => {
    const node = await connect(await enrol());
    for (const [body, field] of [
      [heartbeatBody({ status: "fine" }), "status"],
      [{}, "status"],
      ["[", "body"],
      ["null", "body"],
    ] as const) {
      const reply = await node.call(beat, body);
      expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request", params: { field } } });
    }
    expect((await node.call(beat, heartbeatBody({ version: "broken" })))?.body.code).toBe("internal");
    const full = await node.call(beat, heartbeatBody({ version: "full" }));
    expect([full?.status, full?.body.code]).toEqual([507, "disk_full"]);
    expect(panel.lines.filter(({ msg }) => msg === "agent request failed inside")).toHaveLength(2);
    expect((await node.call(beat, heartbeatBody()))?.status).toBe(200);
  });

  test("a body that is nested deeply, or has a field that is too large, is refused by name", async () => {
    const node = await connect(await enrol());
    const nested = `{"status":"ok","inventory":${'{"x":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
    expect(await node.call(beat, nested)).toMatchObject({ status: 400, body: { params: { field: "body" } } });
    const app = { app_id: "a", name: "A", status: "running", image: "i".repeat(512), cpu_percent: 1, mem_bytes: 2 };
    const inventory = { text: "é".repeat(32_768) };
    for (const [field, value] of Object.entries({ inventory, apps: Array(1_000).fill({ ...app, restart_count: 0 }) })) {
      const reply = await node.call(beat, heartbeatBody({ [field]: value }));
      expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request", params: { field } } });
    }
    expect((await node.call(beat, heartbeatBody({ inventory: { text: "é".repeat(32_000) } })))?.status).toBe(200);
  });

  test("a node that asks again and again is slowed down, whatever it asks for", async () => {
    const mine = await enrol();
    const node = await connect(mine);
    const statuses: (number | undefined)[] = [];
    for (let asked = 0; asked < 70; asked++) statuses.push((await node.call(beat, heartbeatBody()))?.status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await (await connect(mine)).call("/nowhere", {}))?.status).toBe(429);
    expect((await (await connect(await enrol({ instance_id: "node-2" }))).call(beat, heartbeatBody()))?.status).toBe(
      200,
    );
    await panel.clock.advance(seconds(1));
    expect((await node.call(beat, heartbeatBody()))?.status).toBe(200);
  });

  test("one address registers 20 times at once, then a second later again", async () => {
    const { csr } = makeNodeKey();
    const attempt = async () => {
      const stranger = await connect();
      return (await stranger.call(AGENT_PATHS.register, registerBody("wrong", csr)))?.status;
    };
    for (let i = 0; i < 20; i++) expect(await attempt()).toBe(401);
    expect(await attempt()).toBe(429);
    await panel.clock.advance(seconds(1));
    expect(await attempt()).toBe(401);
  });

  test("one address that begins to register and never ends keeps nobody else out", async () => {
    const begin = async (address: string) => {
      const stranger = await connect({ localAddress: address });
      stranger.raw(
        `POST ${AGENT_PATHS.register} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 30000\r\n\r\n{`,
      );
      return stranger;
    };
    for (let round = 0; round < 12; round++) await Promise.all(Array.from({ length: 25 }, () => begin("127.0.0.2")));
    await until(() => panel.listener.count() === 100, { everyMs: 5 });
    const mine = await enrol({}, "ten_a");
    expect((await (await connect(mine)).call(beat, heartbeatBody()))?.status).toBe(200);
    // Beside others of its own network too, once those had their time.
    await panel.clock.advance(seconds(3));
    const neighbour = await connect({ localAddress: "127.0.0.2" });
    const { csr } = makeNodeKey();
    expect((await neighbour.call(AGENT_PATHS.register, registerBody("wrong", csr)))?.status).toBe(401);
  });

  test("a node has few connections open beside its session", async () => {
    const mine = await enrol();
    const nodes = await Promise.all(Array.from({ length: 12 }, () => connect(mine)));
    await until(() => panel.listener.count() === 8, { everyMs: 5 });
    expect((await nodes.at(-1)?.call(beat, heartbeatBody()))?.status).toBe(200);
  });

  test("idle connections end: strangers after 10 seconds, nodes after 2 minutes", async () => {
    const node = await connect(await enrol());
    const stranger = await connect();
    await node.call(beat, heartbeatBody());
    await panel.clock.advance(seconds(16));
    await stranger.closed;
    expect((await node.call(beat, heartbeatBody()))?.status).toBe(200);
    await panel.clock.advance(minutes(2) + seconds(6));
    await node.closed;
    expect(panel.listener.count()).toBe(0);
  });
});

test("the pin leads a node that trusts nobody to the right root", async () => {
  const chain = await readServerChain(panel.port);
  expect(findPinnedRoot(chain, panel.authority.pin())).toBe(ca());
  expect(findPinnedRoot(chain, `sha256:${"0".repeat(64)}`)).toBeNull();
  expect(findPinnedRoot(chain.slice(1), panel.authority.pin())).toBe(ca());
  expect(findPinnedRoot([...chain.slice(0, 1), ...chain.slice(2)], panel.authority.pin())).toBeNull();
});

test("openssl agrees: TLS 1.3, the whole chain, a request for a certificate, no ticket to resume with", async () => {
  const { cert, key } = await enrol();
  const folder = mkdtempSync(join(tmpdir(), "orrery-agent-"));
  for (const [name, text] of Object.entries({ ca: ca(), cert, key })) writeFileSync(join(folder, name), text);
  const files = ["-CAfile", `${folder}/ca`, "-cert", `${folder}/cert`, "-cert_chain", `${folder}/cert`];
  const address = ["-connect", `127.0.0.1:${panel.port}`, "-verify_return_error", "-verify_hostname", "localhost"];
  const judge = Bun.spawn(["openssl", "s_client", ...address, ...files, "-key", `${folder}/key`, "-ign_eof"], {
    stdin: Buffer.from("POST /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
    stdout: "pipe",
    stderr: "ignore",
  });
  const words = await new Response(judge.stdout).text();
  rmSync(folder, { recursive: true });
  expect(words).toContain("Verification: OK");
  expect(words).toContain("TLSv1.3");
  expect(words).toContain("404");
  expect(words).not.toContain("New Session Ticket");
});

test("a new root takes over under way: old nodes, new nodes and the pin of before all work", async () => {
  const old = await enrol();
  const before = { ca: ca(), pin: panel.authority.pin() };
  expect(await panel.authority.beginRotation("root")).toBe(true);
  expect(await panel.authority.rotate({ informedShare: 1, nodesOnOther: 0 })).toBe(true);
  panel.listener.refresh();
  expect(panel.authority.rotation().phase).toBe("activated");
  // Knows only the former root.
  const late = await connectAgent({ port: panel.port, ca: before.ca, cert: old.cert, key: old.key });
  expect((await late.call(beat, heartbeatBody()))?.status).toBe(200);
  const fresh = await enrol({ instance_id: "node-2" });
  expect(fresh.body.ca_certificate.match(/BEGIN/g)).toHaveLength(2);
  expect((await (await connect(fresh)).call(beat, heartbeatBody()))?.status).toBe(200);
  expect(findPinnedRoot(await readServerChain(panel.port), before.pin)).toBe(before.ca);
  await panel.clock.advance(days(2));
  expect(await panel.authority.rotate({ informedShare: 1, nodesOnOther: 0 })).toBe(true);
  panel.listener.refresh();
  const gone = await connectAgent({ port: panel.port, ca: before.ca, cert: old.cert, key: old.key });
  expect(await gone.call(beat, heartbeatBody())).toBeNull();
});
