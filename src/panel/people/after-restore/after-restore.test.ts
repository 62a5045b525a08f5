import { beforeEach, expect, test } from "bun:test";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { makeDirectory } from "../../../../tests/kit/scim-directory.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { runCommand } from "../../../kernel/service/cli.ts";
import { hours } from "../../../lib/duration.ts";
import { challengeOf, signAssertion } from "../../../shared/panel-identity/index.ts";
import { createAfterRestoreCommand } from "./index.ts";

const REDIRECT = "https://node-1.example.org/api/oauth/callback";
const VERIFIER = "a-verifier-of-the-length-that-the-standard-asks-for";

onEachEngine("after an older database was put back", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let directory: Awaited<ReturnType<typeof makeDirectory>>;
  let owner: Person;
  beforeEach(async () => {
    const texts = new Map<string, string[]>();
    panel = await createTestPanel(
      await databases.open(),
      {
        ...{ default_plan: "business", public_url: "http://localhost" },
        ...{ smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org" },
      },
      async (name) => texts.get(name) ?? [],
    );
    directory = await makeDirectory(panel, texts, "ada");
    owner = directory.owner;
  });

  const as = async (person: Person, route: string, body?: unknown) =>
    panel.call(route, { token: await panel.signIn(person), ...(body === undefined ? {} : { body }) });
  const end = (asked: string[] = []) => panel.ctx.afterRestore.endAdmissions(asked);
  const entries = async (person: Person) =>
    (await as(person, "GET /api/audit/logs")).body.entries as { action: string; details: { ended: string } }[];
  const directoryAnswers = async () => (await directory.scim("GET /Users")).status;

  /** Runs the command over this panel; gives what it prints. */
  async function run(...argv: string[]): Promise<string> {
    const command = createAfterRestoreCommand({ option: {}, open: (_options, use) => use(panel.ctx) });
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    await runCommand("orrery-panel", [command], ["after-restore", ...argv], print, print);
    return lines.join("\n");
  }

  test("whoever was signed in is out, and no link or invitation leads in any more", async () => {
    const reset = (await panel.ctx.accountLinks.offerReset(owner.email))?.url.split("#")[1];
    const asked = { emails: ["bo@ada.example"], role: "org_viewer" };
    const [{ id }] = (await as(owner, "POST /api/invitations/bulk", asked)).body.invited;
    const linked = async () => (await as(owner, `POST /api/invitations/${id}/link`)).body.url.split("#")[1];
    const invitation = await linked();
    await as(owner, "PUT /api/auth/email", { email: "later@ada.example" });
    const { facts } = (await panel.system.get<{ facts: string }>(
      "SELECT facts FROM mail_queue WHERE kind = 'account.email_proof'",
    )) ?? { facts: "{}" };
    const letters = panel.ctx.lists.letters.all().find(({ kind }) => kind === "account.email_proof");
    const proof = (await letters?.write("later@ada.example", JSON.parse(facts)))?.action?.url.split("#")[1];
    expect([reset, invitation, proof].map((token) => token?.length)).toEqual([43, 43, 43]);

    const { ended } = await end();
    expect(ended).toEqual([
      expect.stringMatching(/^\d+ sessions$/),
      "1 link to an account",
      "1 link that confirms an address",
      "1 invitation",
    ]);
    expect((await panel.call("GET /api/auth/me", { token: owner.token })).status).toBe(401);
    expect((await panel.call("POST /api/auth/link/look", { body: { token: reset } })).body.code).toBe("link_unknown");
    const look = (token: string) => panel.call("POST /api/auth/invitation/look", { body: { token } });
    expect((await look(invitation)).status).toBe(404);
    expect((await as(owner, "POST /api/auth/email/confirm", { token: proof })).status).toBe(404);
    expect((await as(owner, "GET /api/auth/email")).body.pending).toBeNull();
    // Sent again it is good again, by another link.
    expect((await as(owner, `POST /api/invitations/${id}/resend`)).status).toBe(200);
    expect((await look(invitation)).status).toBe(404);
    expect((await look(await linked())).status).toBe(200);
  });

  test("nobody enrols a server, comes in as staff or goes on into a node, and no reset of factors takes place", async () => {
    const bob = await panel.invite(owner, "bob", "org_viewer");
    await panel.system.run("DELETE FROM members WHERE account_id = ? AND tenant_id <> ?", [
      ...[bob.account_id, bob.tenant_id],
    ]);
    await panel.system.run(
      `INSERT INTO security_keys (account_id, id, name, credential_id, public_key, counter, transports, rp_id, created_at)
       VALUES (?, 'key', 'Key', 'credential', '', 0, '[]', 'localhost', 0)`,
      [bob.account_id],
    );
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [bob.account_id]);
    await as(owner, `POST /api/team/members/${bob.member_id}/factor-reset`);
    await as(owner, "POST /api/support-access", { hours: 72, note: "" });
    const secret = (await createTestNodes(panel).enrol(owner.tenant_id, "node-1")).cp_node_secret;
    const inventory = { sign_in_urls: [REDIRECT] };
    panel.live.put(nodeFacts(1, { tenant_id: owner.tenant_id, hostname: "atlas", inventory }));
    await as(owner, "POST /api/fleet/tokens", { name: "rack", expires_in_hours: 9, max_uses: 5 });
    const consent = await as(owner, "POST /api/oauth/authorize/consent", {
      ...{
        response_type: "code",
        client_id: "node-1",
        redirect_uri: REDIRECT,
        state: "state-of-the-node",
        approve: true,
      },
      ...{ code_challenge: challengeOf(VERIFIER), code_challenge_method: "S256" },
    });
    const code = new URL(consent.body.redirect_to).searchParams.get("code") ?? "";

    const { ended, left } = await end();
    expect(ended).toEqual([
      expect.stringMatching(/^\d+ sessions$/),
      "1 reset of second factors",
      "1 permit for the staff",
      "1 enrolment token",
      "1 sign-in to a node under way",
    ]);
    expect(left).toEqual(["1 security key or passkey", "1 token of a directory"]);
    const now = panel.clock.now();
    const exchanged = await panel.call("POST /api/oauth/token", {
      body: {
        ...{ grant_type: "authorization_code", code, redirect_uri: REDIRECT, client_id: "node-1" },
        code_verifier: VERIFIER,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await signAssertion(secret, { nodeId: "node-1", audience: "/api/oauth/token", now }),
      },
    });
    expect(exchanged.body).not.toHaveProperty("access_token");
    expect(exchanged.status).toBe(400);
    expect((await as(owner, "GET /api/fleet/tokens")).body.tokens).toEqual([]);
    expect((await as(owner, "GET /api/support-access")).body).toMatchObject({ open: null, past: [{}] });
    await panel.clock.advance(hours(25));
    await panel.runJob("factor-resets.apply");
    expect(await panel.system.all("SELECT id FROM security_keys")).toHaveLength(1);
  });

  test("the command tells what it ended and what is left, ends directories when it is asked, and every workspace's log says so", async () => {
    const eve = await panel.join("eve");
    const said = await run();
    expect(said).toMatch(/^Ended: \d+ sessions\. Everybody signs in anew\.\n/);
    expect(said).toContain("As in the backup, also what was ended since: 1 token of a directory.");
    expect(await directoryAnswers()).toBe(200);
    for (const person of [owner, eve]) {
      const found = (await entries(person)).filter(({ action }) => action === "workspace.put_back");
      expect(found).toHaveLength(1);
      expect(found[0]?.details.ended).toContain("sessions");
      expect(found[0]?.details.ended).not.toContain("tokens of directories");
    }
    expect(await run("--end", "directories,passkeys")).toContain("passkeys is none of them");
    expect(await directoryAnswers()).toBe(200);
    expect(await run("--end", "directories")).toContain("1 token of a directory");
    expect(await directoryAnswers()).toBe(401);
  });
});
