import { afterAll, afterEach, beforeAll } from "bun:test";
import { type OidcProvider, startOidcProvider } from "./oidc.ts";
import { createTestPanel, type TestPanel } from "./panel-app.ts";
import { SCIM_PATCH, SCIM_USER } from "./scim-directory.ts";
import { panelDatabases } from "./sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS } from "./sso-world.ts";

/** The passphrase of all who have one. */
export const PASSWORD = "correct horse battery";

/** For the tests of one engine: workspaces that have a provider and a directory, which name the same people. */
export function usePeople(engine: Parameters<typeof panelDatabases>[0]) {
  const databases = panelDatabases(engine);
  const texts = new Map<string, string[]>();
  const own = {} as { panel: TestPanel; provider: OidcProvider; hash: string };
  let count = 0;
  beforeAll(async () => {
    own.provider = await startOidcProvider();
    own.panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
    // The provider has the real clock.
    own.panel.clock.jump(Date.now() - own.panel.clock.now());
    const email = "somebody@elsewhere.example";
    await own.panel.call("POST /api/auth/register", { body: { email, password: PASSWORD, name: "Somebody" } });
    own.hash = (await own.panel.ctx.tenants.findAccount(email))?.password_hash ?? "";
  });
  afterEach(() => own.panel.clock.jump(Date.now() - own.panel.clock.now()));
  afterAll(() => own.provider.close());

  return async function makePeople() {
    const { panel } = own;
    count += 1;
    const world = await makeSsoWorld(panel, own.provider, texts, `people${count}`);
    const { host, call } = world;
    const { tenant_id } = world.owner;
    const { token } = (await call("POST /api/scim/tokens", { name: "Entra" })).body;
    const scim = (route: string, body?: unknown) =>
      panel.call(route.replace(" /", " /scim/v2/"), {
        ...{ token, headers: { "content-type": "application/scim+json" } },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const at = (login: string) => `${login}@${host}`;
    const accountOf = async (memberId: string) =>
      (await panel.ctx.tenants.findMembership(tenant_id, memberId))?.account_id ?? "";
    return {
      ...world,
      ...{ panel, scim, at, accountOf },
      /** An address of theirs that is none of the company. */
      away: (login: string) => `${login}@private-${host}`,
      /** The directory makes somebody. */
      add: (login: string, more: Record<string, unknown> = {}) =>
        scim("POST /Users", {
          ...{ schemas: [SCIM_USER], userName: at(login), externalId: `ext-${login}` },
          ...{ emails: [{ primary: true, value: at(login) }], ...more },
        }),
      /** The directory says something else of somebody. */
      change: (id: string, value: Record<string, unknown>) =>
        scim(`PATCH /Users/${id}`, { schemas: [SCIM_PATCH], Operations: [{ op: "replace", value }] }),
      /** The ids of those whom the directory finds by a name. */
      find: async (name: string): Promise<string[]> => {
        const { body } = await scim(`GET /Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`);
        return body.Resources.map(({ id }: { id: string }) => id);
      },
      /** The addresses of those who may enter, but for the owner's. */
      async listIn(): Promise<string[]> {
        const members: { email: string }[] = (await call("GET /api/team/members?active_only=true")).body;
        return members.map(({ email }) => email).filter((email) => email !== world.owner.email);
      },
      /** Invites an address by a link; gives its token. */
      async invite(email: string): Promise<string> {
        const { body } = await call("POST /api/invitations/bulk", { emails: [email], role: "org_viewer" });
        return body.invited[0].url.split("#")[1];
      },
      join: (link: string, name = "Eve") =>
        panel.call("POST /api/auth/accept-invite", { body: { token: link, name, password: PASSWORD } }),
      /** Removes a member; gives what became of the membership. */
      remove: async (id: string): Promise<string> => (await call(`DELETE /api/team/members/${id}`)).body.mode,
      /** Gives the account of a member a passphrase and another address, as its owner may. */
      async moveTo(memberId: string, address: string): Promise<void> {
        const account = await accountOf(memberId);
        panel.clock.jump(1);
        await panel.system.tx(async (tx) => {
          await panel.ctx.tenants.updatePasswordHash(tx, account, own.hash);
          await panel.ctx.tenants.updateEmailVerified(tx, account);
          if (!(await panel.ctx.tenants.updateEmail(tx, account, address))) throw new Error(`${address} is taken`);
        });
      },
    };
  };
}
