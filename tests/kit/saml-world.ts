import type { Person, TestPanel } from "./panel-app.ts";
import type { SamlAnswer } from "./saml-forger.ts";

/** A provider of SAML, whoever wrote it. */
export interface SamlProvider {
  metadata(): string;
  signIn(url: string, login: string): SamlAnswer | Promise<SamlAnswer>;
}

/** A workspace with a provider of SAML of its own. */
export interface SamlWorld {
  owner: Person;
  id: string;
  host: string;
  call: (route: string, body?: unknown) => ReturnType<TestPanel["call"]>;
  audited(): Promise<string[]>;
  /** What was sent to make the connector as it is. */
  connector: SamlInput;
  openBrowser(): SamlBrowser;
  /** Signs in as somebody with a fresh browser. */
  signIn(login: string, more?: Record<string, string>): ReturnType<TestPanel["call"]>;
}

/** A connector as it is sent. */
export interface SamlInput {
  [name: string]: unknown;
  saml: Record<string, unknown> & { certificates: string[] };
}

/** A browser: it keeps the cookie that it is given, and leaves it at home when a page of another site posts. */
export class SamlBrowser {
  cookie = "";
  /** Where it is, for a panel that trusts a proxy on this machine. */
  ip = "127.0.0.1";
  private readonly panel: TestPanel;
  private readonly provider: SamlProvider;
  private readonly id: string;

  constructor(panel: TestPanel, provider: SamlProvider, id: string) {
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

  async toProvider(login: string, query = ""): Promise<SamlAnswer> {
    return this.provider.signIn(await this.begin(query), login);
  }

  /** Posts an answer as the page of the provider does. */
  post({ acs, form }: SamlAnswer): ReturnType<TestPanel["call"]> {
    const headers = {
      ...{ "content-type": "application/x-www-form-urlencoded", origin: "https://idp.example" },
      ...{ "sec-fetch-site": "cross-site", "x-forwarded-for": this.ip },
    };
    const body = new URLSearchParams(form).toString();
    return this.panel.call(`POST ${new URL(acs).pathname}`, { body, headers });
  }

  /** Posts an answer and goes where that leads; what the last page is told. */
  async land(answer: SamlAnswer): Promise<URLSearchParams> {
    const posted = await this.post(answer);
    const next = posted.headers.get("location") ?? `${posted.status} ${JSON.stringify(posted.body)}`;
    const last = next.startsWith("/api/") ? ((await this.get(next)).headers.get("location") ?? "nowhere") : next;
    if (!last.startsWith("/sso#")) throw new Error(`sent to ${last}`);
    return new URLSearchParams(last.slice(last.indexOf("#") + 1));
  }

  exchange(code: string, more: Record<string, string> = {}): ReturnType<TestPanel["call"]> {
    return this.panel.call("POST /api/auth/sso/exchange", {
      body: { code, ...more },
      headers: { cookie: this.cookie },
    });
  }
}

/** Makes a workspace whose connector of SAML is taken for tested and turned on. `texts` is what the DNS has. */
export async function makeSamlWorld(
  panel: TestPanel,
  provider: SamlProvider,
  texts: Map<string, string[]>,
  name: string,
  more: Record<string, unknown> = {},
): Promise<SamlWorld> {
  const host = `${name}.example`;
  const owner = await panel.join(name);
  // Tests let more time pass than a token is good for.
  const call: SamlWorld["call"] = async (route, body) =>
    panel.call(route, { token: await panel.signIn(owner), ...(body === undefined ? {} : { body }) });
  const found = (await call("POST /api/sso/read-metadata", { metadata: provider.metadata() })).body;
  const connector: SamlInput = {
    ...{ kind: "saml", name: `Sign-in of ${name}`, issuer: found.issuer },
    ...{ role_claim: "groups", role_rules: [{ value: "ops", role: "org_manager" }], default_role: null },
    saml: {
      ...{ sign_on_url: found.sign_on_url, certificates: found.certificates.map(({ pem }: { pem: string }) => pem) },
      ...{ metadata_url: null, signs_requests: false, takes_encrypted: false, email_attribute: null, ...more },
    },
  };
  const { id } = (await call("POST /api/sso/connectors", connector)).body;
  const domain = (await call("POST /api/domains", { host })).body;
  texts.set(domain.txt_name, [domain.txt_value]);
  await call(`POST /api/domains/${domain.id}/verify`);
  await panel.system.run("UPDATE sso_connectors SET tested_version = version WHERE id = ?", [id]);
  await call(`POST /api/sso/connectors/${id}/turn-on`);
  const openBrowser = () => new SamlBrowser(panel, provider, id);
  return {
    ...{ owner, id, host, call, connector, openBrowser },
    async audited() {
      const { body } = await call("GET /api/audit/logs");
      return body.entries.map(({ action }: { action: string }) => action);
    },
    async signIn(login, extra = {}) {
      const browser = openBrowser();
      const told = await browser.land(await browser.toProvider(login));
      return browser.exchange(told.get("code") ?? "-", extra);
    },
  };
}
