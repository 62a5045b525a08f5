import { beforeEach, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { createAuthenticator } from "../../../../tests/kit/authenticator.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const PASSWORD = "correct horse battery";
const OWN_PASSWORD = "another good phrase";
const EMAIL = "victim@corp.example";
const MAIL = { smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.test" };

onEachEngine("accounts whose address a stranger registered", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let stranger: Awaited<ReturnType<typeof prepare>>;
  const post = (path: string, body?: unknown, token?: string) =>
    panel.call(`POST /api/auth/${path}`, { body, ...(token === undefined ? {} : { token }) });
  const logIn = (password: string) => post("login", { email: EMAIL, password });

  /** Registers the address and adds everything that could open the account later. */
  async function prepare() {
    await post("register", { email: EMAIL, name: "Stranger", password: PASSWORD });
    const { token, user } = (await logIn(PASSWORD)).body;
    const { secret } = (await post("totp/enable", undefined, token)).body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: panel.clock.now() });
    expect((await post("totp/verify", { code }, token)).status).toBe(200);
    const authenticator = createAuthenticator();
    const { options } = (await post("webauthn/register/begin", undefined, token)).body;
    const credential = authenticator.register(options.publicKey);
    expect((await post("webauthn/register/finish", { name: "Key", credential }, token)).status).toBe(200);
    expect((await post("recovery-codes", undefined, token)).status).toBe(200);
    const place = user.tenant_id;
    await panel.system.run(
      "INSERT INTO sso_connectors (tenant_id, id, name, issuer, oidc_client, created_at, updated_at) VALUES (?, 'c', 'c', 'i', 'c', 0, 0)",
      [place],
    );
    await panel.system.run(
      "INSERT INTO sso_links (tenant_id, connector_id, issuer, subject, member_id, linked_at, used_at) VALUES (?, 'c', 'i', 's', ?, 0, 0)",
      [place, user.id],
    );
    const signIn = async () => {
      const begun = (await post("passkeys/login/begin")).body;
      const answer = authenticator.sign(begun.options.publicKey);
      return (await post("passkeys/login/finish", { session_id: begun.session_id, credential: answer })).status;
    };
    return { token, tenant_id: place, signIn };
  }

  /** The token of the link in the last letter of a kind, or null where it has none. */
  async function letter(kind: string) {
    const rows = await panel.system.all<{ address: string; facts: string }>(
      "SELECT address, facts FROM mail_queue WHERE kind = ? ORDER BY id DESC LIMIT 1",
      [kind],
    );
    const [row] = rows;
    const writer = panel.ctx.lists.letters.all().find((each) => each.kind === kind);
    const written = row && (await writer?.write(row.address, JSON.parse(row.facts)));
    return { token: written?.action?.url.split("#")[1] ?? "", said: written?.paragraphs[0] ?? "" };
  }
  const invitation = async () => {
    const owner = await panel.join("owner");
    const body = { emails: [EMAIL], role: "org_viewer" };
    expect((await panel.call("POST /api/invitations/bulk", { token: owner.token, body })).status).toBe(201);
    return (await letter("team.invitation")).token;
  };
  const forgot = async () => {
    await post("forgot-password", { email: EMAIL });
    return (await letter("account.reset")).token;
  };
  const isVerified = async () =>
    (
      await panel.system.get<{ verified: number }>("SELECT email_verified AS verified FROM accounts WHERE email = ?", [
        EMAIL,
      ])
    )?.verified;
  /** What there is of the stranger: keys, apps, recovery codes, links to providers. */
  const left = async () => {
    const tables = ["security_keys", "totp", "recovery_codes", "sso_links"];
    const counts = tables.map((table) => panel.system.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`));
    return (await Promise.all(counts)).map((row) => Number(row?.n));
  };
  const claims = () =>
    panel.system.all("SELECT 1 FROM audit_entries WHERE tenant_id = ? AND action = 'account.claim'", [
      stranger.tenant_id,
    ]);
  const meStatus = async (token: string) => (await panel.call("GET /api/auth/me", { token })).status;

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), MAIL);
    stranger = await prepare();
  });

  test("a passphrase chosen by mail leaves nothing of what was added before", async () => {
    const invited = await invitation();
    expect((await post("link/use", { token: await forgot(), password: OWN_PASSWORD })).status).toBe(200);
    expect([await left(), await isVerified(), await meStatus(stranger.token)]).toEqual([[0, 0, 0, 0], 1, 401]);
    expect((await post("accept-invite", { token: invited, password: OWN_PASSWORD })).status).toBe(200);
    expect((await logIn(OWN_PASSWORD)).body.token).toBeString();
    expect([await stranger.signIn(), (await logIn(PASSWORD)).status]).toEqual([401, 401]);
    expect(await claims()).toHaveLength(1);
    expect((await letter("account.factors")).said).toContain("Nobody had shown before that this address is theirs");
  });

  test("so does the link that an operator hands over, which proves nothing of the mailbox", async () => {
    const link = await panel.ctx.accountLinks.offerReset(EMAIL);
    const token = link?.url.split("#")[1];
    expect((await post("link/use", { token, password: OWN_PASSWORD })).status).toBe(200);
    expect([await left(), await isVerified(), await stranger.signIn()]).toEqual([[0, 0, 0, 0], 0, 401]);
  });

  test("and an invitation's letter, opened by somebody who is not signed in", async () => {
    expect((await post("accept-invite", { token: await invitation(), password: PASSWORD })).status).toBe(200);
    expect([await left(), await isVerified(), await meStatus(stranger.token)]).toEqual([[0, 0, 0, 0], 1, 401]);
  });

  test("whoever is signed in to the account and opens the letter of an invitation keeps what they added", async () => {
    expect((await post("accept-invite", { token: await invitation() }, stranger.token)).status).toBe(200);
    expect([await left(), await isVerified(), await meStatus(stranger.token)]).toEqual([[1, 1, 10, 1], 1, 200]);
    expect(await claims()).toEqual([]);
  });

  test("a link that confirms the address counts from a session of that account alone, and keeps what was added", async () => {
    const { token } = await letter("account.email_proof");
    const other = await panel.join("other");
    for (const session of [undefined, other.token]) {
      const refused = await post("email/confirm", { token }, session);
      expect([refused.status, refused.body.code]).toEqual([403, "email_sign_in_first"]);
    }
    expect(await isVerified()).toBe(0);
    expect((await post("email/confirm", { token }, stranger.token)).status).toBe(200);
    expect([await left(), await isVerified()]).toEqual([[1, 1, 10, 1], 1]);
    // A new passphrase leaves the factors of a proven account as they are.
    expect((await post("link/use", { token: await forgot(), password: OWN_PASSWORD })).status).toBe(200);
    expect([await left(), (await logIn(OWN_PASSWORD)).body.mfa_required]).toEqual([[1, 1, 10, 1], true]);
    expect(await claims()).toEqual([]);
  });
});
