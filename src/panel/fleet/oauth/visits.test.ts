import { beforeEach, expect, test } from "bun:test";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { hours } from "../../../lib/duration.ts";
import { challengeOf, signAssertion, verifyIdentity } from "../../../shared/panel-identity/index.ts";

const REDIRECT = "https://node-1.example.org/api/oauth/callback";
const VERIFIER = "a-verifier-of-the-length-that-the-standard-asks-for";

onEachEngine("staff of the panel on a node", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let owner: Person;
  let staff: Person;
  let secret: string;
  /** The session of one of the staff whom the owner let in for an hour. */
  let token: string;
  let ends_at: number;

  const as = async (person: Person, route: string, body?: unknown) =>
    panel.call(route, { token: await panel.signIn(person), ...(body === undefined ? {} : { body }) });
  const put = (more = {}) => {
    const inventory = { sign_in_urls: [REDIRECT], ends_visits: true, ...more };
    panel.live.put(nodeFacts(1, { tenant_id: owner.tenant_id, hostname: "atlas", inventory }));
  };
  async function comeIn() {
    const given = await as(owner, "POST /api/support-access", { hours: 1, note: "" });
    ends_at = Date.parse(given.body.open.ends_at);
    await as(staff, `POST /api/staff/workspaces/${owner.tenant_id}/enter`);
    token = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body.token;
  }

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), { public_url: "https://panel.test" });
    owner = await panel.join("ada");
    staff = await panel.join("staff");
    const sql = "UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?";
    await panel.system.run(sql, [staff.account_id]);
    secret = (await createTestNodes(panel).enrol(owner.tenant_id, "node-1")).cp_node_secret;
    put();
    await comeIn();
  });

  const open = () => panel.call("POST /api/fleet/instances/node-1/impersonate", { token });
  const request = {
    ...{ response_type: "code", client_id: "node-1", redirect_uri: REDIRECT, state: "state-of-the-node" },
    ...{ code_challenge: challengeOf(VERIFIER), code_challenge_method: "S256" },
  };
  const consent = () => panel.call("POST /api/oauth/authorize/consent", { token, body: { ...request, approve: true } });
  const told = (word: string) => verifyIdentity(secret, "node-1", word, panel.clock.now());
  const prove = (audience: string, key = secret) =>
    signAssertion(key, { nodeId: "node-1", audience, now: panel.clock.now() });
  async function exchange(code: string) {
    return panel.call("POST /api/oauth/token", {
      body: {
        ...{ grant_type: "authorization_code", code, redirect_uri: REDIRECT, client_id: "node-1" },
        code_verifier: VERIFIER,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await prove("/api/oauth/token"),
      },
    });
  }
  const codeOf = ({ body }: { body: { redirect_to: string } }) =>
    new URL(body.redirect_to).searchParams.get("code") ?? "";
  const ask = async (key?: string) =>
    panel.call("POST /api/oauth/visits", {
      body: {
        tenant_id: owner.tenant_id,
        client_id: "node-1",
        client_assertion: await prove("/api/oauth/visits", key),
      },
    });

  test("a node is told until when they are let in, by either way, and of its own people nothing of the kind", async () => {
    const url = new URL((await open()).body.session_url);
    expect(await told(url.searchParams.get("token") ?? "")).toMatchObject({
      account_id: staff.account_id,
      until: ends_at,
    });
    const traded = await exchange(codeOf(await consent()));
    expect(await told(traded.body.access_token)).toMatchObject({ account_id: staff.account_id, until: ends_at });
    const own = await as(owner, "POST /api/fleet/instances/node-1/impersonate");
    const identity = await told(new URL(own.body.session_url).searchParams.get("token") ?? "");
    expect([identity?.account_id, identity?.until]).toEqual([owner.account_id, undefined]);
  });

  test("a node that would not end what it gave them is not opened", async () => {
    put({ ends_visits: undefined });
    for (const { status, body } of [await open(), await consent()])
      expect([status, body.code]).toEqual([409, "visit_unsupported"]);
    expect((await as(owner, "POST /api/fleet/instances/node-1/impersonate")).status).toBe(200);
  });

  test("a code is worth nothing once the permit has ended", async () => {
    const code = codeOf(await consent());
    await as(owner, "DELETE /api/support-access");
    expect((await exchange(code)).body.code).toBe("invalid_grant");
  });

  test("a node that proves itself hears who is let in now, and no other", async () => {
    expect((await ask("another secret")).body.code).toBe("invalid_client");
    expect((await ask()).body).toEqual({ open: [staff.account_id] });
    await as(owner, "DELETE /api/support-access");
    expect((await ask()).body).toEqual({ open: [] });
    await comeIn();
    expect((await ask()).body).toEqual({ open: [staff.account_id] });
    await panel.clock.advance(hours(1));
    expect((await ask()).body).toEqual({ open: [] });
  });
});
