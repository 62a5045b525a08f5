import { networksAround } from "../../../kernel/http/peer.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byVisitor } from "../../event-meaning.ts";
import { isEmail } from "../../schemas.ts";
import { type Origin, ownPath, panelOrigin, redirectUri, samlAddresses } from "./addresses.ts";
import { judgeCounted } from "./belief.ts";
import { isBrowser, markBrowser } from "./browser.ts";
import { secretPurpose } from "./choices.ts";
import type { RefusalCause } from "./contract.ts";
import { explainFailure } from "./diagnose.ts";
import type { Flow, Identity } from "./flows.ts";
import { readIdentity } from "./identity.ts";
import type { Own } from "./needs.ts";
import { type Heard, ProviderFailure, type Registered } from "./provider.ts";
import { requestUrlOf } from "./saml/begin.ts";
import { type ConnectorRow, findConnectorById } from "./store.ts";
import { finishTest, lookAtOidc } from "./test-run.ts";

/** Where the page is that goes on after the provider. */
const PAGE = "/sso";
/** Where tests come back to. */
const SETTINGS = "/settings/sign-on?step=test";
const ERROR_MAX = 100;
/** Why an answer of either protocol is refused that belongs to nothing on its way. */
export const NOT_WAITED_FOR =
  "An answer came for which nobody waits: it was used, took too long or was never asked for.";

/** A browser at the door. */
export interface Visit extends Origin {
  ip: string;
}

/** Sends a browser on, to get what is there. The address says nothing to others: what is secret stands after the #. */
export function sendTo(location: string, status: 302 | 303, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status, headers });
}

/** Sends a browser to the page that goes on. */
export const toPage = (facts: Record<string, string>, status: 302 | 303 = 302): Response =>
  sendTo(`${PAGE}#${new URLSearchParams(facts)}`, status);

/** Sends a browser back to where a test began. */
export const toTest = (): Response => sendTo(SETTINGS, 302);

/** Somebody who was not let in: counted, and written down in the workspace. */
export interface Refused {
  connector: Pick<ConnectorRow, "id" | "tenant_id"> | null;
  cause: RefusalCause;
  reason: string;
  email?: string | null;
}

/** Counts a refusal and writes it down, as far as there is a workspace that it belongs to. */
export async function noteRefusal(own: Own, ip: string, { connector, cause, reason, email = null }: Refused) {
  own.refusals.count(cause);
  if (connector === null || !own.refusals.mayWrite(connector.id)) return;
  const { id: connector_id, tenant_id } = connector;
  await own.system
    .onBehalfOf(asVisitor(ip))
    .tx((tx) => own.bus.emit(tx, "sso.refused", { by: byVisitor(tenant_id, ip), connector_id, cause, reason, email }));
}

/** What a connector says of its provider, its secret opened. */
const registered = (own: Own, { id, tenant_id, issuer, oidc_client, sealed_secret }: ConnectorRow): Registered => ({
  ...{ tenant_id, issuer, oidc_client },
  secret: sealed_secret === null ? null : own.seal.open(secretPurpose(id), sealed_secret),
});

interface Begin {
  return_to?: string;
  login_hint?: string;
  test?: string;
}

/** Sends a browser to the provider of a connector, to sign in there or to test that. */
export async function beginSignIn(own: Own, visit: Visit, id: string, asked: Begin): Promise<Response> {
  const connector = await findConnectorById(own.system, id);
  const tester = asked.test === undefined ? null : own.flows.tests.take(asked.test);
  if (!connector || (asked.test !== undefined && tester?.connector_id !== id)) return toPage({ error: "unknown" });
  if (connector.state === "off" && tester === null) return toPage({ error: "off" });
  const origin = panelOrigin(own.config, visit);
  const { mark, cookie } = markBrowser(own.ids, visit.request, visit.isHttps);
  const flow: Flow = {
    ...{ connector_id: id, version: connector.version, tester },
    ...{ nonce: own.ids.token(32), verifier: own.ids.token(48), browser: mark },
    ...{ return_to: ownPath(asked.return_to), ip: visit.ip },
    redirect_uri: connector.kind === "saml" ? samlAddresses(origin, id).acs_url : redirectUri(origin, id),
  };
  const state = own.ids.token(32);
  const hint = asked.login_hint !== undefined && isEmail(asked.login_hint) ? asked.login_hint : null;
  try {
    const url =
      connector.kind === "saml"
        ? requestUrlOf(own, connector, flow, samlAddresses(origin, id), state, hint)
        : (await beginAtProvider(own, visit, connector, flow, state, hint)).href;
    own.flows.underway.set(state, flow, networksAround(visit.ip));
    return sendTo(url, 302, [cookie]);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (tester !== null) {
      await finishTest(own, visit.ip, connector, flow, tester, lookAtOidc(flow, error, false));
      return toTest();
    }
    await noteRefusal(own, visit.ip, { connector, cause: "unreachable", reason: error.message });
    return toPage({ error: "unreachable" });
  }
}

/** Where the provider wants a browser to be sent; it is asked when it is its turn, unless it said so a while ago. Throws ProviderFailure. */
function beginAtProvider(
  own: Own,
  { ip, request }: Visit,
  connector: ConnectorRow,
  flow: Flow,
  state: string,
  hint: string | null,
): Promise<URL> {
  const begin = () => own.providers.begin(registered(own, connector), flow, state, hint);
  if (own.providers.hasDescribed(connector.issuer)) return begin();
  const { id } = connector;
  return own.turns({ connector_id: id, ip, isKnown: own.belief.isKnown(id, ip), left: request.signal }, begin);
}

/** One value of a query or a form; null where it is missing or stands there twice. */
export function only(query: URLSearchParams, name: string): string | null {
  const all = query.getAll(name);
  return all.length === 1 ? (all[0] ?? null) : null;
}

/** Why what was begun cannot go on with the connector as it is now; null when it can. */
export function whyEnded(flow: Flow, connector: ConnectorRow): [cause: RefusalCause, reason: string] | null {
  if (flow.version !== connector.version) return ["changed", "The connector was changed meanwhile."];
  if (connector.state === "off" && flow.tester === null) return ["off", "The connector was turned off meanwhile."];
  return null;
}

/** Sends whoever signed in at the provider to the page that trades a code for a session. */
export function letOn(own: Own, { tenant_id, id, version }: ConnectorRow, flow: Flow, identity: Identity): Response {
  const code = own.ids.token(32);
  const pass = { connector: { tenant_id, id, version }, identity, browser: flow.browser, tries: 0 };
  own.flows.passes.set(code, pass, [tenant_id]);
  return toPage({ code, to: flow.return_to });
}

/**
 * Takes a browser that a provider sent back. Nobody is signed in by it: the page behind it trades a one-time code, so that an
 * address alone opens nothing.
 */
export async function comeBack(own: Own, visit: Visit, id: string): Promise<Response> {
  const query = new URL(visit.request.url).searchParams;
  const state = only(query, "state");
  const flow = state === null ? null : own.flows.underway.get(state);
  if (flow === null) own.strays.take(visit.ip);
  const connector = await findConnectorById(own.system, id);
  const refuse = async (cause: RefusalCause, reason: string): Promise<Response> => {
    await noteRefusal(own, visit.ip, { connector, cause, reason });
    return toPage({ error: cause });
  };
  if (state === null || flow === null) return refuse("unsolicited", NOT_WAITED_FOR);
  const end = (cause: RefusalCause, reason: string): Promise<Response> => {
    own.flows.underway.take(state);
    return refuse(cause, reason);
  };
  if (!isBrowser(visit.request, visit.isHttps, flow.browser))
    return end("other_browser", "The answer came to another browser than the one that began.");
  if (flow.connector_id !== id || connector?.kind !== "oidc")
    return end("mix_up", "The answer came at the address of another connector than the one that was asked.");
  const told = only(query, "iss");
  if (query.has("iss") && (told === null || !constantTimeEqual(told, connector.issuer)))
    return end("mix_up", "The answer says that it is of another provider than the one that was asked.");
  const ended = whyEnded(flow, connector);
  if (ended !== null) return end(...ended);
  const outcome = await redeem(own, visit, connector, state, query);
  if (outcome === null) return refuse("unsolicited", NOT_WAITED_FOR);
  if (flow.tester !== null) {
    await finishTest(own, visit.ip, connector, flow, flow.tester, lookAtOidc(flow, outcome, true));
    return toTest();
  }
  if (outcome instanceof ProviderFailure) {
    const answer = {
      connector,
      nonce: flow.nonce,
      heard: outcome.heard,
      failure: outcome,
      domains: [],
      now: own.clock.now(),
    };
    const { cause, reason } = explainFailure(answer, outcome);
    return refuse(cause, reason);
  }
  const identity = readIdentity(outcome.claims ?? {}, connector);
  if (!identity) return refuse("answer", "The provider does not say who signed in.");
  return letOn(own, connector, flow, identity);
}

type Outcome = Heard | ProviderFailure;

/**
 * What the provider says to what a browser brought back, asked when it is its turn; null when that was used meanwhile. Whoever has to
 * come again brings the same: it is used only once the provider is asked. Throws `too_many_requests`.
 */
async function redeem(
  own: Own,
  { ip, request }: Visit,
  connector: ConnectorRow,
  state: string,
  query: URLSearchParams,
): Promise<Outcome | null> {
  const no = saidNo(query);
  if (no !== null) return own.flows.underway.take(state) && no;
  const by = { id: connector.id, ip, left: request.signal };
  const { outcome } = await judgeCounted(own.belief, by, async (bringer) => {
    const outcome = await own.turns(bringer, () => ask(own, connector, state, query));
    return { outcome, isBelieved: outcome !== null && !(outcome instanceof ProviderFailure) };
  });
  return outcome;
}

/** That the provider itself let nobody in, by what the browser brought back; null where it did. */
function saidNo(query: URLSearchParams): ProviderFailure | null {
  const error = query.get("error");
  if (error === null) return null;
  const more = query.get("error_description")?.slice(0, ERROR_MAX * 2);
  const words = more ? `${error.slice(0, ERROR_MAX)}: ${more}` : error.slice(0, ERROR_MAX);
  const nothing: Heard = { answered_ms: null, header: null, claims: null, said: null };
  return new ProviderFailure("refused", `The provider said ${words}.`, nothing);
}

async function ask(own: Own, connector: ConnectorRow, state: string, query: URLSearchParams): Promise<Outcome | null> {
  const flow = own.flows.underway.take(state);
  if (flow === null) return null;
  try {
    return await own.providers.redeem(registered(own, connector), flow, state, query);
  } catch (failure) {
    if (failure instanceof ProviderFailure) return failure;
    throw failure;
  }
}
