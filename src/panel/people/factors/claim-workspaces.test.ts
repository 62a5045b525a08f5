import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { minutes } from "../../../lib/duration.ts";

const PASSWORD = "correct horse battery";
const OWN_PASSWORD = "another good phrase";
const EMAIL = "victim@corp.example";
const SETTINGS = {
  ...{ smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.test" },
  outgoing_allow_cidrs: "127.0.0.0/8",
};

onEachEngine("workspaces of accounts whose address a stranger registered", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let accomplice: Person;
  /** The stranger's session in the workspace that came with the account, and that workspace. */
  let stranger: { token: string; tenant_id: string };
  const call = (route: string, token: string, body?: unknown) =>
    panel.call(route, body === undefined ? { token } : { token, body });
  const post = (path: string, body: unknown) => panel.call(`POST /api/auth/${path}`, { body });
  const logIn = async (password: string) => (await post("login", { email: EMAIL, password })).body;

  /** Invites somebody, and gives the token of a link to hand out. */
  async function invite(token: string, email: string, role: string): Promise<string> {
    const { invited } = (await call("POST /api/invitations/bulk", token, { emails: [email], role })).body;
    return (await call(`POST /api/invitations/${invited[0].id}/link`, token)).body.url.split("#")[1];
  }
  const accept = (token: string, session: string) => call("POST /api/auth/accept-invite", session, { token });

  /** Chooses a passphrase by a link, as whoever reads the mail or as the operator hands it over, and signs in. */
  async function comeIn(how: "by mail" | "by the operator") {
    if (how === "by mail") await post("forgot-password", { email: EMAIL });
    const made =
      how === "by mail" ? (await lastLetter("account.reset"))?.action : await panel.ctx.accountLinks.offerReset(EMAIL);
    const token = made?.url.split("#")[1];
    expect((await post("link/use", { token, password: OWN_PASSWORD })).status).toBe(200);
    return logIn(OWN_PASSWORD);
  }
  async function lastLetter(kind: string) {
    const [row] = await panel.system.all<{ address: string; facts: string }>(
      "SELECT address, facts FROM mail_queue WHERE kind = ? ORDER BY id DESC LIMIT 1",
      [kind],
    );
    const writer = panel.ctx.lists.letters.all().find((each) => each.kind === kind);
    return (row && (await writer?.write(row.address, JSON.parse(row.facts)))) ?? null;
  }
  const team = async (token: string) => {
    const { body } = await call("GET /api/team/members", token);
    return Object.fromEntries(body.map((row: { email: string; status: string }) => [row.email, row.status]));
  };

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), SETTINGS);
    await post("register", { email: EMAIL, name: "Stranger", password: PASSWORD });
    const { token, user } = await logIn(PASSWORD);
    stranger = { token, tenant_id: user.tenant_id };
    await panel.clock.advance(minutes(1));
    accomplice = await panel.join("accomplice");
    await accept(await invite(token, accomplice.email, "org_owner"), accomplice.token);
  });

  test("by mail its reader gets them alone: nobody and nothing comes in any more by what there was", async () => {
    const { token, tenant_id } = stranger;
    const late = await panel.join("late");
    const pending = await invite(token, late.email, "org_owner");
    const enrol = { name: "x", expires_in_hours: 100, max_uses: 1 };
    expect((await call("POST /api/fleet/tokens", token, enrol)).status).toBe(200);
    const room = { name: "r", service: "slack", url: "http://127.0.0.1:9/x", kinds: ["canary.paused"] };
    expect((await call("POST /api/chat-channels", token, room)).status).toBe(200);
    expect((await call("POST /api/support-access", token, { hours: 72, note: "x" })).status).toBe(200);
    await panel.system.run("UPDATE tenants SET plan = 'enterprise', sign_in = 'con' WHERE tenant_id = ?", [tenant_id]);
    await panel.system.run(
      "INSERT INTO sso_connectors (tenant_id, id, name, issuer, oidc_client, created_at, updated_at) VALUES (?, 'con', 'c', 'i', 'c', 0, 0)",
      [tenant_id],
    );
    await panel.system.run(
      `INSERT INTO scim_tokens (tenant_id, id, name, token_hash, hint, created_at, expires_at)
       VALUES (?, 'tok', 'd', 'h', 'abcd', 0, 9000000000000)`,
      [tenant_id],
    );
    const there = (await call(`POST /api/workspaces/${tenant_id}/switch`, accomplice.token)).body.token;
    expect((await call("GET /api/auth/me", there)).body.role).toBe("org_owner");

    const owner = await comeIn("by mail");
    expect([owner.user.tenant_id, owner.user.role]).toEqual([tenant_id, "org_owner"]);
    expect(await team(owner.token)).toEqual({ [EMAIL]: "active", [accomplice.email]: "disabled" });
    expect((await call("GET /api/auth/me", there)).status).toBe(401);
    expect((await accept(pending, late.token)).body.code).toBe("invitation_unknown");
    expect((await call("GET /api/support-access", owner.token)).body.open).toBeNull();
    const kept = ["chat_channels", "scim_tokens", "sso_connectors", "registration_tokens WHERE revoked_at IS NULL"];
    for (const what of [...kept, "tenants WHERE sign_in IS NOT NULL"])
      expect([what, await panel.system.all(`SELECT 1 FROM ${what}`)]).toEqual([what, []]);
    const lines = await panel.system.all<{ action: string }>(
      "SELECT action FROM audit_entries WHERE tenant_id = ? AND member_id = 'visitor' ORDER BY action",
      [tenant_id],
    );
    expect(lines.map(({ action }) => action)).toEqual([
      ...["account.claim", "account.link_used", "chat_channel.remove", "fleet.token.revoke", "scim.token_remove"],
      ...["sso.connector_remove", "team.clear", "team.invite_revoke", "workspace.support_close"],
    ]);
    const said = (await lastLetter("account.factors"))?.paragraphs.join(" ");
    expect(said).toContain("everybody else has lost their access");
    // Whoever is known is taken back with one act.
    expect((await call(`POST /api/team/members/${await memberOf(accomplice)}/restore`, owner.token)).status).toBe(200);
  });

  const memberOf = async ({ account_id }: Person) =>
    (
      await panel.system.get<{ id: string }>("SELECT id FROM members WHERE tenant_id = ? AND account_id = ?", [
        ...[stranger.tenant_id, account_id],
      ])
    )?.id;

  test("by the operator's link, which proves nothing of the mailbox, the others stay", async () => {
    const owner = await comeIn("by the operator");
    expect(await team(owner.token)).toEqual({ [EMAIL]: "active", [accomplice.email]: "active" });
  });

  test("workspaces that another account made lose nobody", async () => {
    const host = await panel.join("host");
    const colleague = await panel.invite(host, "colleague", "org_viewer");
    await panel.clock.advance(minutes(1));
    expect((await accept(await invite(host.token, EMAIL, "org_owner"), stranger.token)).status).toBe(200);
    await comeIn("by mail");
    expect(await team(host.token)).toEqual({
      ...{ [host.email]: "active", [colleague.email]: "active" },
      [EMAIL]: "active",
    });
  });
});
