import { OIDC_CLIENT, OIDC_SECRET, type OidcProvider } from "./oidc.ts";
import type { Person, TestPanel } from "./panel-app.ts";

/** Settings of a panel that may talk to a provider on this machine. */
export const SSO_SETTINGS = {
  ...{ default_plan: "business", outgoing_allow_cidrs: "127.0.0.0/8", public_url: "http://localhost" },
};

/** A workspace with a provider of its own, and browsers at its door. */
export interface SsoWorld {
  owner: Person;
  /** Of the connector. */
  id: string;
  /** Its domain of mail addresses. */
  host: string;
  /** As its owner. */
  call: (route: string, body?: unknown) => ReturnType<TestPanel["call"]>;
  /** Signs its owner in anew, after time went on. */
  renewOwner(): Promise<void>;
  /** What its audit log has, by the names of the events. */
  audited(): Promise<string[]>;
  /** The connector as it was made. */
  connector: Record<string, unknown>;
  /** Somebody at the provider. */
  addPerson(login: string, claims?: Record<string, unknown>): void;
  openBrowser(): SsoBrowser;
  /** Signs in as somebody with a fresh browser. */
  signIn(login: string, more?: Record<string, string>): ReturnType<TestPanel["call"]>;
}

/** A browser at the door of a workspace: it keeps the cookie that it is given. */
export class SsoBrowser {
  cookie = "";
  /** Where it is, for a panel that trusts a proxy on this machine. */
  ip = "127.0.0.1";
  private readonly panel: TestPanel;
  private readonly provider: Pick<OidcProvider, "signIn">;
  private readonly id: string;

  constructor(panel: TestPanel, provider: Pick<OidcProvider, "signIn">, id: string) {
    this.panel = panel;
    this.provider = provider;
    this.id = id;
  }

  async get(path: string): ReturnType<TestPanel["call"]> {
    const headers = { cookie: this.cookie, "x-forwarded-for": this.ip };
    const answer = await this.panel.call(`GET ${path}`, { headers });
    const given = answer.headers.getSetCookie().find((one) => one.startsWith("orrery_sso="));
    if (given !== undefined) this.cookie = given.split(";")[0] ?? "";
    return answer;
  }

  /** Begins and gives the address that it is sent to. */
  async begin(query = ""): Promise<string> {
    return (await this.get(`/api/sso/${this.id}/start${query}`)).headers.get("location") ?? "";
  }

  /** Begins, signs in at the provider, and gives the path that it is sent back to. */
  async toProvider(login: string, query = ""): Promise<string> {
    const back = await this.provider.signIn(await this.begin(query), login);
    return `${back.pathname}${back.search}`;
  }

  /** What the page behind the provider is told. */
  async land(path: string): Promise<URLSearchParams> {
    const location = (await this.get(path)).headers.get("location") ?? "";
    if (!location.startsWith("/sso#")) throw new Error(`sent to ${location}`);
    return new URLSearchParams(location.slice(location.indexOf("#") + 1));
  }

  exchange(code: string, more: Record<string, unknown> = {}, token?: string): ReturnType<TestPanel["call"]> {
    const options = { body: { code, ...more }, headers: { cookie: this.cookie } };
    return this.panel.call("POST /api/auth/sso/exchange", token === undefined ? options : { ...options, token });
  }
}

/** Makes a workspace whose connector to the provider is tested; turned on unless told. `texts` is what the DNS has. */
export async function makeSsoWorld(
  panel: TestPanel,
  provider: Pick<OidcProvider, "issuer" | "people" | "signIn">,
  texts: Map<string, string[]>,
  name: string,
): Promise<SsoWorld> {
  const host = `${name}.example`;
  let owner = await panel.join(name);
  const call: SsoWorld["call"] = (route, body) =>
    panel.call(route, { token: owner.token, ...(body === undefined ? {} : { body }) });
  const connector = {
    ...{ name: `Sign-in of ${name}`, issuer: provider.issuer, oidc_client: OIDC_CLIENT, client_secret: OIDC_SECRET },
    ...{ role_claim: "groups", role_rules: [{ value: "ops", role: "org_manager" }], default_role: null },
  };
  const { id } = (await call("POST /api/sso/connectors", connector)).body;
  const domain = (await call("POST /api/domains", { host })).body;
  texts.set(domain.txt_name, [domain.txt_value]);
  await call(`POST /api/domains/${domain.id}/verify`);
  await panel.system.run("UPDATE sso_connectors SET tested_version = version WHERE id = ?", [id]);
  await call(`POST /api/sso/connectors/${id}/turn-on`);
  const openBrowser = () => new SsoBrowser(panel, provider, id);
  return {
    ...{ owner, id, host, call, connector, openBrowser },
    async renewOwner() {
      owner = { ...owner, token: await panel.signIn(owner) };
    },
    async audited() {
      const { body } = await call("GET /api/audit/logs");
      return body.entries.map(({ action }: { action: string }) => action);
    },
    addPerson(login, claims = {}) {
      const usual = { email: `${login}@${host}`, email_verified: true, name: `${login} of ${name}`, groups: ["ops"] };
      provider.people.set(login, { sub: `sub-${login}`, claims: { ...usual, ...claims } });
    },
    async signIn(login, more = {}) {
      const browser = openBrowser();
      const told = await browser.land(await browser.toProvider(login));
      return browser.exchange(told.get("code") ?? "-", more);
    },
  };
}
