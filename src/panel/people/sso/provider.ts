import type { Configuration, CustomFetchOptions, ServerMetadata } from "openid-client";
import { type Outgoing, OutgoingError } from "../../../kernel/outgoing/index.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { Flow } from "./flows.ts";
import { isLoopback } from "./issuer.ts";

/** How far a provider's clock may be off. */
export const TOLERANCE_S = 60;
/** How long a provider has for each answer, and about how long for all that one sign-in asks of it. */
const TIMEOUT_MS = seconds(10);
const ALL_ANSWERS_MS = seconds(15);
const MAX_REPLY_BYTES = 256 * 1024;
const KEPT_MS = minutes(10);
const MAX_KEPT = 1_000;
const SCOPE = "openid email profile";
/** Signatures by keys that the provider alone has. */
export const ALGORITHMS: readonly string[] = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** What a connector says of its provider. */
export interface Registered {
  /** Whose connector says so. */
  tenant_id: string;
  issuer: string;
  oidc_client: string;
  secret: string | null;
}

/** What was heard of a provider, checked or not. */
export interface Heard {
  /** How long it took to answer at first. */
  answered_ms: number | null;
  /** The head of its token. */
  header: Record<string, unknown> | null;
  claims: Record<string, unknown> | null;
  /** The error that it answered with, in its own words. */
  said: string | null;
}

/** Why a provider is not believed, or did not answer; the message is for people. */
export class ProviderFailure extends Error {
  readonly kind: "unreachable" | "refused" | "answer" | "signature";
  readonly heard: Heard;

  constructor(kind: ProviderFailure["kind"], message: string, heard: Heard) {
    super(message);
    this.name = "ProviderFailure";
    this.kind = kind;
    this.heard = heard;
  }
}

/** The providers of connectors. */
export interface Providers {
  /** Whether one said lately what there is to know of it, so that nothing is asked where somebody begins. */
  hasDescribed(issuer: string): boolean;
  /** Where to send a browser. Throws ProviderFailure. */
  begin(of: Registered, flow: Flow, state: string, loginHint: string | null): Promise<URL>;
  /** Trades what a browser brought back for what the provider says of whoever signed in there. Throws ProviderFailure. */
  redeem(of: Registered, flow: Flow, state: string, query: URLSearchParams): Promise<Heard>;
}

type Library = typeof import("openid-client");

/** Decodes a part of a token without believing it. */
function decodePart(token: string, index: number): Record<string, unknown> | null {
  const text = Buffer.from(token.split(".")[index] ?? "", "base64url").toString("utf8");
  const part = parseJson(text);
  return isRecord(part) ? part : null;
}

/** An error as a provider words it; null when it names none. */
function errorOf({ error, error_description: more }: Record<string, unknown>): string | null {
  if (typeof error !== "string") return null;
  return typeof more === "string" ? `${error.slice(0, 100)}: ${more.slice(0, 200)}` : error.slice(0, 100);
}

/** Why it failed, in words; the library's own where ours are no better. */
function explain(error: unknown, heard: Heard): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const chain: unknown[] = [];
  for (let at: unknown = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  const line = chain.find((one) => one instanceof OutgoingError);
  if (line instanceof OutgoingError) return new ProviderFailure("unreachable", line.message, heard);
  const first = chain.find((one) => one instanceof Error && one.message.startsWith("JWT signature"));
  if (first !== undefined) return new ProviderFailure("signature", "The signature of its token does not hold.", heard);
  if (heard.said !== null) return new ProviderFailure("refused", `The provider said ${heard.said}.`, heard);
  const words = chain.flatMap((one) => (one instanceof Error ? [one.message] : []));
  return new ProviderFailure("answer", `Its answer does not hold: ${words.join(", ") || "unknown"}.`, heard);
}

/** The guarded client in the library's terms; what is heard of tokens is kept for those who test. */
function fetchThrough({ clock, outgoing }: { clock: Clock; outgoing: Outgoing }, asker: string, heard: Heard) {
  const end = clock.monotonic() + ALL_ANSWERS_MS;
  return async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    const text = typeof body === "string" || body instanceof URLSearchParams ? String(body) : "";
    const leftMs = Math.max(seconds(1), seconds(Math.ceil((end - clock.monotonic()) / 1000)));
    const timeoutMs = Math.min(TIMEOUT_MS, leftMs);
    const request = { method, url, headers, body: text, asker, timeoutMs, maxReplyBytes: MAX_REPLY_BYTES };
    const reply = await outgoing.request(request);
    heard.answered_ms ??= reply.duration_ms;
    const told = parseJson(reply.body);
    if (isRecord(told) && typeof told["id_token"] === "string") {
      heard.header = decodePart(told["id_token"], 0);
      heard.claims = decodePart(told["id_token"], 1);
    }
    if (reply.status >= 400 && isRecord(told)) heard.said = errorOf(told) ?? heard.said;
    return new Response(reply.body, { status: reply.status, headers: reply.headers });
  };
}

/** Providers behind the guarded client. What they say of themselves is kept for ten minutes; the library is loaded when it is used first. */
export function createProviders(needs: { clock: Clock; outgoing: Outgoing }): Providers {
  const known = createExpiringMap<ServerMetadata>(needs.clock, MAX_KEPT);

  /** The provider as this flow talks to it. */
  async function open(library: Library, of: Registered, heard: Heard): Promise<Configuration> {
    const through = fetchThrough(needs, of.tenant_id, heard);
    const extensions = isLoopback(of.issuer) ? [library.allowInsecureRequests] : [];
    const kept = known.get(of.issuer);
    const metadata = kept ?? (await ask(library, of, through, extensions));
    if (metadata.issuer !== of.issuer)
      throw new ProviderFailure("answer", `It calls itself ${metadata.issuer}, not ${of.issuer}.`, heard);
    // From when it was heard: one that is in use all the time is asked again, too.
    if (kept === null) known.set(of.issuer, metadata, KEPT_MS);
    const config = new library.Configuration(
      metadata,
      of.oidc_client,
      { [library.clockTolerance]: TOLERANCE_S },
      authenticate(library, of.secret, metadata),
    );
    config[library.customFetch] = through;
    for (const extend of extensions) extend(config);
    library.enableNonRepudiationChecks(config);
    return config;
  }

  async function ask(
    library: Library,
    of: Registered,
    through: ReturnType<typeof fetchThrough>,
    extensions: ((config: Configuration) => void)[],
  ): Promise<ServerMetadata> {
    const options = { execute: extensions, [library.customFetch]: through };
    const found = await library.discovery(new URL(of.issuer), of.oidc_client, undefined, undefined, options);
    return found.serverMetadata();
  }

  async function attempt<T>(heard: Heard, work: (library: Library) => Promise<T>): Promise<T> {
    try {
      return await work(await import("openid-client"));
    } catch (error) {
      throw explain(error, heard);
    }
  }

  const nothing = (): Heard => ({ answered_ms: null, header: null, claims: null, said: null });

  return {
    hasDescribed: (issuer) => known.get(issuer) !== null,
    begin(of, flow, state, loginHint) {
      const heard = nothing();
      return attempt(heard, async (library) => {
        const config = await open(library, of, heard);
        const url = library.buildAuthorizationUrl(config, {
          redirect_uri: flow.redirect_uri,
          scope: SCOPE,
          state,
          nonce: flow.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: "S256",
          ...(loginHint === null ? {} : { login_hint: loginHint }),
        });
        if (url.protocol !== "https:" && !isLoopback(of.issuer))
          throw new ProviderFailure("answer", "It wants people to sign in without encryption.", heard);
        return url;
      });
    },
    redeem(of, flow, state, query) {
      const heard = nothing();
      return attempt(heard, async (library) => {
        const config = await open(library, of, heard);
        const back = new URL(flow.redirect_uri);
        back.search = query.toString();
        const tokens = await library.authorizationCodeGrant(config, back, {
          pkceCodeVerifier: flow.verifier,
          expectedNonce: flow.nonce,
          expectedState: state,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims || !ALGORITHMS.includes(String(heard.header?.["alg"])))
          throw new ProviderFailure("signature", "Its token is not signed in a way that is believed.", heard);
        const isWhole = typeof claims["email"] === "string";
        const asks = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
        const more = asks ? await library.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
        return { ...heard, claims: { ...more, ...claims } };
      });
    },
  };
}

/** In the way that the provider takes; without a secret by the proof key alone. */
function authenticate(library: Library, secret: string | null, metadata: ServerMetadata) {
  if (secret === null) return library.None();
  const ways = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return ways.includes("client_secret_basic") ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
}
