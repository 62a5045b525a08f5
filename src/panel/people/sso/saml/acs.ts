import { sha256Hex } from "../../../../lib/digest.ts";
import { days } from "../../../../lib/duration.ts";
import { finishPath, samlAddresses } from "../addresses.ts";
import { type Bringer, type Judged, judgeCounted } from "../belief.ts";
import { isBrowser } from "../browser.ts";
import type { RefusalCause } from "../contract.ts";
import type { Flow } from "../flows.ts";
import type { Own } from "../needs.ts";
import { TOLERANCE_S } from "../provider.ts";
import { letOn, NOT_WAITED_FOR, noteRefusal, only, sendTo, toPage, toTest, type Visit, whyEnded } from "../sign-in.ts";
import { type ConnectorRow, findConnector, findConnectorById } from "../store.ts";
import { finishTest, type Look } from "../test-run.ts";
import { openOwnKey, requestIdOf } from "./begin.ts";
import { type Expected, examineSaml, identityOf, refusalOf } from "./examine.ts";
import { groupsOf } from "./person.ts";
import type { Received } from "./receive.ts";
import { readSettings } from "./settings.ts";
import { takeAssertion } from "./taken-store.ts";

/** How long an assertion is remembered at most; its request is forgotten long before. */
const REMEMBERED_MS = days(1);
/** What follows the origin in the address that answers come to. */
const originOf = (acs: string, id: string): string => acs.slice(0, -samlAddresses("", id).acs_url.length);

/** What the answer to a request has to fit to. */
function expectedOf(connector: ConnectorRow, flow: Flow, domains: readonly string[], now: number): Expected {
  const settings = readSettings(connector.saml);
  return {
    connector,
    email_attribute: settings?.email_attribute ?? null,
    certificates: settings?.certificates ?? [],
    ...samlAddresses(originOf(flow.redirect_uri, connector.id), connector.id),
    ...{ request_id: requestIdOf(flow), domains, now },
  };
}

/** Refuses an answer: counted, written down, and said on the page. */
const refuser = (own: Own, visit: Visit, connector: ConnectorRow | null, status: 302 | 303) => {
  return async (cause: RefusalCause, reason: string): Promise<Response> => {
    await noteRefusal(own, visit.ip, { connector, cause, reason });
    return toPage({ error: cause }, status);
  };
};

/** What became of an answer that was judged. */
interface Taken extends Judged {
  response: Response;
}

/**
 * Writes down that an assertion is taken. `again`: it was taken before; `gone`: the connector was removed while the answer was judged; else
 * why what was begun cannot go on with it.
 */
async function takeIn(
  own: Own,
  { tenant_id, id }: ConnectorRow,
  flow: Flow,
  received: Received,
): Promise<"taken" | "again" | "gone" | NonNullable<ReturnType<typeof whyEnded>>> {
  const assertion = received.facts?.assertion;
  const ends = assertion?.confirmations.map(({ not_on_or_after }) => Date.parse(not_on_or_after ?? "")) ?? [];
  const now = own.clock.now();
  const latest = Math.max(now, ...ends.filter((end) => !Number.isNaN(end))) + TOLERANCE_S * 1000;
  const of = { tenant_id, connector_id: id, hash: sha256Hex(assertion?.id ?? "") };
  return own.system.tx(async (tx) => {
    const connector = await findConnector(tx, tenant_id, id);
    if (!connector) return "gone";
    const ended = whyEnded(flow, connector);
    if (ended !== null) return ended;
    return (await takeAssertion(tx, of, Math.min(latest, now + REMEMBERED_MS))) ? "taken" : "again";
  });
}

/**
 * Takes the answer of a provider, which a page of another site posted: whose browser that is cannot be known yet, so nothing is
 * let in by it. It is judged, and the browser sent on to where its cookie comes along. What is not believed counts where the sign-in
 * began: anybody's browser can be made to post an answer.
 */
export async function takeAnswer(own: Own, visit: Visit, id: string, form: URLSearchParams): Promise<Response> {
  const state = only(form, "RelayState");
  // Taken only with the answer: whoever has to come again brings the same one.
  const asked = state === null ? null : own.flows.underway.get(state);
  if (asked === null) own.strays.take(visit.ip);
  const connector = await findConnectorById(own.system, id);
  const refuse = refuser(own, visit, connector, 303);
  if (state === null || asked === null) return refuse("unsolicited", NOT_WAITED_FOR);
  if (asked.connector_id !== id || connector?.kind !== "saml") {
    own.flows.underway.take(state);
    return refuse("mix_up", "The answer came at the address of another connector than the one that was asked.");
  }
  const ended = whyEnded(asked, connector);
  if (ended !== null) {
    own.flows.underway.take(state);
    return refuse(...ended);
  }
  const by = { id, ip: asked.ip, left: visit.request.signal };
  const { response } = await judgeCounted(own.belief, by, (bringer) =>
    judgeAnswer(own, visit, connector, state, form, bringer),
  );
  return response;
}

async function judgeAnswer(
  own: Own,
  visit: Visit,
  connector: ConnectorRow,
  state: string,
  form: URLSearchParams,
  bringer: Bringer,
): Promise<Taken> {
  const { id } = connector;
  const respond = refuser(own, visit, connector, 303);
  const refuse = async (cause: RefusalCause, reason: string): Promise<Taken> => ({
    response: await respond(cause, reason),
    isBelieved: false,
  });
  const trust = {
    certificates: readSettings(connector.saml)?.certificates ?? [],
    private_key: openOwnKey(own, connector),
  };
  const received = await own.judge.receive(bringer, only(form, "SAMLResponse") ?? "", trust);
  const flow = own.flows.underway.take(state);
  if (flow === null) return refuse("unsolicited", NOT_WAITED_FOR);
  const ticket = own.ids.token(32);
  const onwards = {
    response: sendTo(`${finishPath(id)}?ticket=${ticket}`, 303),
    isBelieved: received.refused === null,
  };
  if (flow.tester !== null) {
    own.flows.landedTests.set(ticket, { flow, what: received }, [id]);
    return onwards;
  }
  const expected = expectedOf(connector, flow, [], own.clock.now());
  const refused = refusalOf(received.facts, received.refused, expected);
  if (refused !== null) return refuse(refused.cause, `${refused.reason}.`);
  const assertion = received.facts?.assertion ?? null;
  const identity = assertion && identityOf(assertion, expected);
  if (!identity) return refuse("answer", "The provider does not say who signed in.");
  const taken = await takeIn(own, connector, flow, received);
  if (taken === "gone") {
    // Nobody's log has a place for it any more.
    const response = await refuser(own, visit, null, 303)("changed", "The connector was removed meanwhile.");
    return { response, isBelieved: false };
  }
  if (taken === "again")
    return refuse("replay", "The assertion was used before: a provider makes a new one for each sign-in.");
  if (taken !== "taken") return refuse(...taken);
  own.flows.landed.set(ticket, { flow, what: identity }, [id]);
  return onwards;
}

/** How the answer to a test looks. */
function lookAt(flow: Flow, { facts, refused, hasSaidNo }: Received): Look {
  return (connector, domains, now) => {
    const expected = expectedOf(connector, flow, domains, now);
    const { role_claim } = connector;
    const told = refusalOf(facts, refused, expected);
    return {
      findings: examineSaml(facts, refused, expected),
      told,
      steps: { answered: true, signed_in: !hasSaidNo, came_back: hasSaidNo ? null : told === null },
      groups: facts?.assertion && role_claim !== null ? groupsOf(facts.assertion, role_claim) : [],
    };
  };
}

/** Goes on after an answer was taken, in the browser that began and in no other. */
export async function finish(own: Own, visit: Visit, id: string, ticket: string): Promise<Response> {
  const signedIn = own.flows.landed.take(ticket);
  const tested = signedIn === null ? own.flows.landedTests.take(ticket) : null;
  const flow = (signedIn ?? tested)?.flow;
  if (flow === undefined) own.strays.take(visit.ip);
  const connector = await findConnectorById(own.system, id);
  const refuse = refuser(own, visit, connector, 302);
  if (flow === undefined)
    return refuse("unsolicited", "An answer was to go on that is not known: it was used or took too long.");
  if (!isBrowser(visit.request, visit.isHttps, flow.browser))
    return refuse("other_browser", "The answer came to another browser than the one that began.");
  if (flow.connector_id !== id || !connector)
    return refuse("mix_up", "The answer was to go on at the address of another connector than the one that was asked.");
  const ended = whyEnded(flow, connector);
  if (ended !== null) return refuse(...ended);
  if (signedIn !== null) return letOn(own, connector, flow, signedIn.what);
  if (tested !== null && flow.tester !== null)
    await finishTest(own, visit.ip, connector, flow, flow.tester, lookAt(flow, tested.what));
  return toTest();
}
