import { beforeAll, expect, test } from "bun:test";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { challengeOf, signAssertion, verifyIdentity } from "../../../shared/panel-identity/index.ts";
import { findNodeRow } from "../../agents/nodes/node-store.ts";

const REDIRECT = "https://node-1.example.org/api/oauth/callback";
const VERIFIER = "a-verifier-of-the-length-that-the-standard-asks-for";

onEachEngine("signing in to a node with an account on the panel", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let owner: Person;
  let nodes: TestNodes;
  let secret: string;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    owner = await panel.join("ada");
    nodes = createTestNodes(panel);
    secret = (await nodes.enrol(owner.tenant_id, "node-1")).cp_node_secret;
    const inventory = { sign_in_urls: [REDIRECT] };
    panel.live.put(nodeFacts(1, { tenant_id: owner.tenant_id, hostname: "atlas", inventory }));
  });

  const request = (more = {}) => ({
    response_type: "code",
    client_id: "node-1",
    redirect_uri: REDIRECT,
    state: "state-of-the-node",
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: "S256",
    ...more,
  });
  const preflight = (person: Person, more = {}) =>
    panel.call(`GET /api/oauth/authorize/preflight?${new URLSearchParams(request(more))}`, { token: person.token });
  const consent = (person: Person, more = {}) =>
    panel.call("POST /api/oauth/authorize/consent", { token: person.token, body: request({ approve: true, ...more }) });
  async function code(person = owner): Promise<string> {
    const { body } = await consent(person);
    return new URL(body.redirect_to).searchParams.get("code") ?? "";
  }
  async function exchange(given: string, more: Record<string, string> = {}, key = secret) {
    const now = panel.clock.now();
    const client_assertion = await signAssertion(key, { nodeId: "node-1", audience: "/api/oauth/token", now });
    return panel.call("POST /api/oauth/token", {
      body: {
        grant_type: "authorization_code",
        code: given,
        redirect_uri: REDIRECT,
        client_id: "node-1",
        code_verifier: VERIFIER,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion,
        ...more,
      },
    });
  }

  test("says who asks and what it will learn", async () => {
    expect((await preflight(owner)).body).toEqual({
      client: { id: "node-1", hostname: "atlas", redirect_host: "node-1.example.org" },
      user: { email: owner.email, display_name: "ada", role: "org_owner" },
      workspace: { id: owner.tenant_id, name: expect.any(String) },
    });
  });

  test("a code tells the node who signed in, once", async () => {
    const given = await consent(owner);
    const back = new URL(given.body.redirect_to);
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(back.searchParams.get("state")).toBe("state-of-the-node");
    const first = await exchange(back.searchParams.get("code") ?? "");
    expect(first.body).toMatchObject({ token_type: "bearer", expires_in: 60 });
    expect(await verifyIdentity(secret, "node-1", first.body.access_token, panel.clock.now())).toMatchObject({
      account_id: owner.account_id,
      email: owner.email,
      role: "org_owner",
      tenant_id: owner.tenant_id,
    });
    const second = await exchange(back.searchParams.get("code") ?? "");
    expect([second.status, second.body.error]).toEqual([400, "invalid_grant"]);
    const audited = await panel.system.all<{ action: string }>(
      "SELECT action FROM audit_entries WHERE tenant_id = ? AND action = 'oauth.consent'",
      [owner.tenant_id],
    );
    expect(audited.length).toBeGreaterThan(0);
  });

  test("of fifty at once one gets it", async () => {
    const given = await code();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => exchange(given).then(({ status }) => status)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test("no is an answer too", async () => {
    const { body } = await consent(owner, { approve: false });
    const back = new URL(body.redirect_to);
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.has("code")).toBe(false);
  });

  test("an address that the node never told is refused, letter by letter", async () => {
    for (const redirect_uri of [`${REDIRECT}/`, "https://evil.example.org/api/oauth/callback", `${REDIRECT}?x=1`]) {
      const { status, body } = await consent(owner, { redirect_uri });
      expect([status, body.code]).toEqual([400, "redirect_refused"]);
      expect((await preflight(owner, { redirect_uri })).body.code).toBe("redirect_refused");
    }
  });

  test("somebody of another workspace learns nothing, and teachers stay outside", async () => {
    const stranger = await panel.join("eve");
    const answers = [await preflight(stranger), await consent(stranger)];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, "unknown_client"],
      [404, "unknown_client"],
    ]);
    expect(JSON.stringify(answers)).not.toContain("atlas");
    const teacher = await panel.invite(owner, "teacher", "org_teacher");
    expect((await consent(teacher)).body.code).toBe("sign_in_role");
  });

  test("a wrong verifier, address, node or secret gets nothing; late is too late", async () => {
    const other = { code_verifier: `${VERIFIER}-other` };
    expect((await exchange(await code(), other)).body.code).toBe("invalid_grant");
    expect((await exchange(await code(), { redirect_uri: `${REDIRECT}/` })).body.code).toBe("invalid_grant");
    expect((await exchange(await code(), { client_id: "node-2" })).body.code).toBe("invalid_grant");
    expect((await exchange("nothing")).body.code).toBe("invalid_grant");
    const kept = await code();
    expect((await exchange(kept, {}, "not the secret")).body.code).toBe("invalid_client");
    // Who cannot prove to be the node cannot use up its code either.
    expect((await exchange(kept)).status).toBe(200);
    const late = await code();
    await panel.clock.advance(60_000);
    expect((await exchange(late)).body.code).toBe("invalid_grant");
  });

  test("opens a node as the caller, once, where a browser reaches it", async () => {
    const { body } = await panel.call("POST /api/fleet/instances/node-1/impersonate", { token: owner.token });
    const url = new URL(body.session_url);
    expect(url.origin + url.pathname).toBe("https://node-1.example.org/api/cp/session");
    const token = url.searchParams.get("token") ?? "";
    expect(await verifyIdentity(secret, "node-1", token, panel.clock.now())).toMatchObject({
      account_id: owner.account_id,
      role: "org_owner",
    });
    const stranger = await panel.join("mallory");
    const refused = await panel.call("POST /api/fleet/instances/node-1/impersonate", { token: stranger.token });
    expect([refused.status, refused.body.code]).toEqual([404, "unknown_client"]);
  });

  test("a node that has told no address cannot be opened yet", async () => {
    await nodes.enrol(owner.tenant_id, "node-quiet");
    const { status, body } = await panel.call("POST /api/fleet/instances/node-quiet/impersonate", {
      token: owner.token,
    });
    expect([status, body.code]).toEqual([409, "node_address_unknown"]);
    expect(body.message).toContain("next heartbeat");
  });

  test("addresses of a node that are no pages' open nothing and lead nowhere", async () => {
    const hostile = ["https://[", "javascript:alert(document.cookie)//", "https://me:secret@node-1.example.org/"];
    const put = (sign_in_urls: string[]) =>
      panel.live.put(nodeFacts(1, { tenant_id: owner.tenant_id, hostname: "atlas", inventory: { sign_in_urls } }));
    put(hostile);
    for (const redirect_uri of hostile) {
      expect((await preflight(owner, { redirect_uri })).status).toBe(400);
      expect((await consent(owner, { redirect_uri })).status).toBe(400);
    }
    const open = () => panel.call("POST /api/fleet/instances/node-1/impersonate", { token: owner.token });
    expect((await open()).body.code).toBe("node_address_unknown");
    put([...hostile, REDIRECT]);
    expect((await open()).body.session_url).toStartWith("https://node-1.example.org/api/cp/session?token=");
    expect((await preflight(owner)).status).toBe(200);
  });

  test("somebody who lost their access after consenting gets no further", async () => {
    const viewer = await panel.invite(owner, "viewer", "org_viewer");
    const given = await code(viewer);
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [viewer.member_id]);
    expect((await exchange(given)).body.code).toBe("invalid_grant");
  });

  test("a code that nobody traded keeps no deleted node from being forgotten, nor those after it", async () => {
    const leaver = await panel.join("leaver");
    const { tenant_id } = leaver;
    for (const id of ["left-1", "left-2"]) await nodes.enrol(tenant_id, id);
    const inventory = { sign_in_urls: [REDIRECT] };
    const no = (await findNodeRow(panel.system, "left-1"))?.no ?? 0;
    panel.live.put(nodeFacts(no, { tenant_id, id: "left-1", hostname: "left", inventory }));
    expect((await consent(leaver, { client_id: "left-1" })).body.redirect_to).toContain("code=");
    for (const id of ["left-1", "left-2"]) await panel.tenant(tenant_id).tx((tx) => panel.nodes.deleteNode(tx, id));
    await panel.system.run("UPDATE nodes SET deleted_at = 1 WHERE tenant_id = ?", [tenant_id]);
    await panel.runJob("nodes.forget");
    expect(await panel.system.all("SELECT id FROM nodes WHERE tenant_id = ?", [tenant_id])).toEqual([]);
  });
});
