import { expect } from "bun:test";
import { minutes } from "../../src/lib/duration.ts";
import type { Person, TestPanel } from "./panel-app.ts";

/** The settings of a panel that sends mail, which nobody takes, and calls what is on this machine. */
export const MAILING = {
  ...{ smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.test" },
  outgoing_allow_cidrs: "127.0.0.0/8",
};
/** Whose address a stranger registers. */
export const VICTIM = "victim@corp.example";
/** What the stranger signs in with. */
export const PASSWORD = "correct horse battery";
const OWN_PASSWORD = "another good phrase";

/** A stranger who registered somebody else's address, with an accomplice who is a second owner of the workspace unless they are alone. */
export async function createStranger(panel: TestPanel, isAlone = false) {
  const call = (route: string, token: string, body?: unknown) =>
    panel.call(route, body === undefined ? { token } : { token, body });
  const post = (path: string, body: unknown) => panel.call(`POST /api/auth/${path}`, { body });
  const logIn = async (password: string) => (await post("login", { email: VICTIM, password })).body;
  /** Invites somebody, and gives the token of a link to hand out. */
  const invite = async (token: string, email: string, role: string): Promise<string> => {
    const { invited } = (await call("POST /api/invitations/bulk", token, { emails: [email], role })).body;
    return (await call(`POST /api/invitations/${invited[0].id}/link`, token)).body.url.split("#")[1];
  };
  const accept = (token: string, session: string) => call("POST /api/auth/accept-invite", session, { token });
  /** The last letter of a kind, as it is written now; null where there is none. */
  const letter = async (kind: string) => {
    const [row] = await panel.system.all<{ address: string; facts: string }>(
      "SELECT address, facts FROM mail_queue WHERE kind = ? ORDER BY id DESC LIMIT 1",
      [kind],
    );
    const writer = panel.ctx.lists.letters.all().find((each) => each.kind === kind);
    return (row && (await writer?.write(row.address, JSON.parse(row.facts)))) ?? null;
  };
  await post("register", { email: VICTIM, name: "Stranger", password: PASSWORD });
  const { token, user } = await logIn(PASSWORD);
  await panel.clock.advance(minutes(1));
  const accomplice = await panel.join("accomplice");
  if (!isAlone) await accept(await invite(token, accomplice.email, "org_owner"), accomplice.token);
  const tenant_id: string = user.tenant_id;
  return {
    ...{ call, post, invite, accept, letter, token, tenant_id, accomplice },
    member_id: user.id as string,
    /** The accomplice's session in the workspace that came with the account. */
    entered: async () =>
      (await call(`POST /api/workspaces/${tenant_id}/switch`, accomplice.token)).body.token as string,
    /** Chooses a passphrase by a link, as whoever reads the mail or as the operator hands it over, and signs in. */
    async comeIn(how: "by mail" | "by the operator") {
      if (how === "by mail") await post("forgot-password", { email: VICTIM });
      const made =
        how === "by mail" ? (await letter("account.reset"))?.action : await panel.ctx.accountLinks.offerReset(VICTIM);
      const link = made?.url.split("#")[1];
      expect((await post("link/use", { token: link, password: OWN_PASSWORD })).status).toBe(200);
      return logIn(OWN_PASSWORD);
    },
    /** What the letter says of the claim; empty where there is none. */
    told: async () => (await letter("account.factors"))?.paragraphs.join(" ") ?? "",
    /** The people of a workspace by their address, and whether they may enter. */
    async team(session: string): Promise<Record<string, string>> {
      const { body } = await call("GET /api/team/members", session);
      return Object.fromEntries(body.map((row: { email: string; status: string }) => [row.email, row.status]));
    },
    /** The names of the workspaces that somebody may enter. */
    async workspaces(session: string): Promise<string[]> {
      const { body } = await call("GET /api/workspaces", session);
      return body.workspaces.map(({ name }: { name: string }) => name);
    },
    /** The claims in the log of a workspace. */
    claims: (of: string) =>
      panel.system.all("SELECT 1 FROM audit_entries WHERE tenant_id = ? AND action = 'account.claim'", [of]),
    /** The membership of somebody in the workspace that came with the account. */
    memberOf: async ({ account_id }: Person) =>
      (
        await panel.system.get<{ id: string }>("SELECT id FROM members WHERE tenant_id = ? AND account_id = ?", [
          ...[tenant_id, account_id],
        ])
      )?.id,
  };
}
