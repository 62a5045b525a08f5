import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** Somebody who has an account at a provider. */
export interface OidcPerson {
  sub: string;
  claims: Record<string, unknown>;
}

/** A provider of OpenID Connect on loopback, which signs everybody in as whom they say. */
export interface OidcProvider {
  issuer: string;
  /** Who there is, by the name they sign in with; may change while it runs. */
  people: Map<string, OidcPerson>;
  /** Signs in at the provider as a browser would, from where it was sent; gives the address it is sent back to. */
  signIn(url: string, login: string): Promise<URL>;
  close(): Promise<void>;
}

export const OIDC_CLIENT = "orrery";
export const OIDC_SECRET = "a secret of the provider's";

/** Starts one with one client, who may have people sent back to anywhere. */
export async function startOidcProvider(): Promise<OidcProvider> {
  const people = new Map<string, OidcPerson>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = {
    client_id: OIDC_CLIENT,
    client_secret: OIDC_SECRET,
    grant_types: ["authorization_code"],
    redirect_uris: ["http://localhost/"],
  };
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["a key"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context: unknown, id: string) => {
      const person = people.get(id);
      return person && { accountId: id, claims: () => ({ sub: person.sub, ...person.claims }) };
    },
  });
  provider.Client.prototype.redirectUriAllowed = () => true;
  server.on("request", provider.callback());

  async function signIn(url: string, login: string): Promise<URL> {
    const jar = new Map<string, string>();
    let next = new URL(url);
    let form: Record<string, string> | null = null;
    for (let hop = 0; hop < 12; hop++) {
      const response: Response = await fetch(next, {
        redirect: "manual",
        method: form === null ? "GET" : "POST",
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(form === null ? {} : { body: new URLSearchParams(form) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ""] = cookie.split(";");
        jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      const location = response.headers.get("location");
      if (location !== null) {
        next = new URL(location, next);
        form = null;
        if (next.origin !== issuer) return next;
        continue;
      }
      const page = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (prompt === undefined) throw new Error(`the provider says ${response.status}: ${page.slice(0, 500)}`);
      form = { prompt, ...(prompt === "login" ? { login, password: "any" } : {}) };
    }
    throw new Error("the provider goes on for ever");
  }

  return {
    issuer,
    people,
    signIn,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
