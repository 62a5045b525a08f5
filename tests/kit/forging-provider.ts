import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { OIDC_CLIENT, type OidcPerson, type OidcProvider } from "./oidc.ts";

/** What a forged answer is made of, once it is asked for. */
export interface Forgery {
  /** The head of the token, before its signature. */
  header: { alg: string; kid?: string };
  claims: JWTPayload;
  /** Signs with the key that is listed, with another one, by a secret that everybody knows, or not at all. */
  by: "listed" | "stranger" | "secret" | "nobody";
  /** Changes the signed token. */
  after?: (token: string) => string;
}

/** A provider that answers as it is told: right unless `forge` makes something else of it. */
export interface ForgingProvider extends Pick<OidcProvider, "issuer" | "people" | "signIn" | "close"> {
  forge: (right: Forgery) => Forgery;
  /** What it says of itself, changed. */
  describe: (right: Record<string, unknown>) => Record<string, unknown>;
  /** Changes the query that the browser is sent back with. */
  back: (query: URLSearchParams) => void;
  /** The secret under which a token can be forged that says HS256. */
  secret: string;
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Starts one on loopback. */
export async function startForgingProvider(): Promise<ForgingProvider> {
  const listed = await generateKeyPair("RS256");
  const stranger = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(listed.publicKey)), kid: "listed", alg: "RS256", use: "sig" };
  /** What each code stands for. */
  const codes = new Map<string, { nonce: string; login: string; challenge: string }>();
  const people = new Map<string, OidcPerson>();

  async function write({ header, claims, by, after = (token) => token }: Forgery): Promise<string> {
    const head = `${part(header)}.${part(claims)}`;
    if (by === "nobody") return after(`${head}.`);
    if (by === "secret") {
      const hmac = new Bun.CryptoHasher("sha256", made.secret).update(head).digest("base64url");
      return after(`${head}.${hmac}`);
    }
    const { privateKey } = by === "listed" ? listed : stranger;
    return after(await new SignJWT(claims).setProtectedHeader({ kid: "listed", ...header }).sign(privateKey));
  }

  async function answerToken(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const told = codes.get(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const proof = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
    if (!told || proof !== told.challenge) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const now = Math.floor(Date.now() / 1000);
    const person = people.get(told.login);
    const claims = {
      ...{ iss: made.issuer, aud: OIDC_CLIENT, sub: person?.sub ?? "", nonce: told.nonce, iat: now, exp: now + 300 },
      ...person?.claims,
    };
    const id_token = await write(made.forge({ header: { alg: "RS256" }, claims, by: "listed" }));
    return Response.json({ access_token: "any", token_type: "Bearer", expires_in: 300, id_token });
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/.well-known/openid-configuration") {
        const right = {
          issuer: made.issuer,
          authorization_endpoint: `${made.issuer}/auth`,
          token_endpoint: `${made.issuer}/token`,
          jwks_uri: `${made.issuer}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
          authorization_response_iss_parameter_supported: true,
        };
        return Response.json(made.describe(right));
      }
      if (pathname === "/jwks") return Response.json({ keys: [jwk] });
      return pathname === "/token" ? answerToken(request) : new Response("no", { status: 404 });
    },
  });
  const made: ForgingProvider = {
    issuer: `http://127.0.0.1:${server.port}`,
    people,
    secret: "a secret of the provider's",
    forge: (right) => right,
    describe: (right) => right,
    back: () => {},
    async signIn(url, login) {
      const asked = new URL(url).searchParams;
      const code = crypto.randomUUID();
      const told = { nonce: asked.get("nonce") ?? "", login, challenge: asked.get("code_challenge") ?? "" };
      codes.set(code, told);
      const back = new URL(asked.get("redirect_uri") ?? "");
      const query = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: made.issuer });
      made.back(query);
      back.search = query.toString();
      return back;
    },
    close: () => server.stop(true),
  };
  return made;
}
