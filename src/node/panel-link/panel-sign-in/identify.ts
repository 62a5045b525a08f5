import { OutgoingError, type OutgoingFailure, type OutgoingReply } from "../../../kernel/outgoing/index.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { signAssertion, TOKEN_PATH, verifyIdentity } from "../../../shared/panel-identity/index.ts";
import { panelOf } from "./begin.ts";
import { fail } from "./contract.ts";
import type { Begun, Own, Visitor } from "./needs.ts";

type Clocks = Pick<Own, "panelLink" | "clock">;
type Deps = Pick<Own, "panelLink" | "clock" | "log">;

/** The time on the panel: what is said under the shared secret is good for a minute, too short for clocks that differ. */
const panelNow = ({ clock, panelLink }: Clocks): number => clock.now() - panelLink.aheadMs();

/**
 * Trades a code for who somebody is. Throws `panel_not_linked`, `panel_state_wrong` when the sign-in began by another link,
 * `panel_away`, `panel_said_no`.
 */
export async function identifyByCode(deps: Deps, code: string, begun: Begun): Promise<Visitor> {
  const { instance_id, secret, tenant_id, membership, revision } = panelOf(deps);
  if (begun.revision !== revision) throw fail("panel_state_wrong");
  const proof = { nodeId: instance_id, audience: TOKEN_PATH, now: panelNow(deps) };
  const body = {
    grant_type: "authorization_code",
    code,
    redirect_uri: begun.redirectUri,
    client_id: instance_id,
    code_verifier: begun.verifier,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await signAssertion(secret, proof),
  };
  const reply = await ask(deps, JSON.stringify(body));
  const answer: unknown = parseJson(reply.body);
  const said = isRecord(answer) ? answer : {};
  if (reply.status !== 200) throw fail("panel_said_no", { reason: readReason(said, reply.status) });
  const token = said["access_token"];
  const identity = typeof token === "string" ? await verifyIdentity(secret, instance_id, token, panelNow(deps)) : null;
  if (identity?.tenant_id !== tenant_id) throw fail("panel_said_no", { reason: "its answer is not for this server" });
  return { ...identity, membership, revision };
}

/** What a panel says when it does not trade a code, in words of ours: a stranger hears the reason. */
const REFUSALS: ReadonlyMap<unknown, string> = new Map([
  ["invalid_grant", "its code is used up or too old"],
  ["invalid_client", "it does not take this server for the one it knows"],
]);

const readReason = ({ error }: Record<string, unknown>, status: number): string =>
  REFUSALS.get(error) ?? `it answered ${status}`;

/** Why a panel could not be asked, for a stranger: without addresses of this server's network. */
const FAILURES: Partial<Record<OutgoingFailure, string>> = {
  dns: "its name was not found",
  connect: "no connection came about",
  tls: "its certificate is not one that this server trusts",
  timeout: "it did not answer in time",
};

async function ask({ panelLink, log }: Deps, body: string): Promise<OutgoingReply> {
  const headers = { "content-type": "application/json" };
  try {
    return await panelLink.ask(TOKEN_PATH, { method: "POST", headers, body, timeoutMs: 10_000 });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    log.info("the panel could not be asked who somebody is", { error });
    throw fail("panel_away", { reason: FAILURES[error.reason] ?? "its address leads to nothing that may be asked" });
  }
}

/** Who a token of the panel for this node speaks of. Throws `panel_not_linked`, `panel_token_refused`. */
export async function identifyByToken(deps: Clocks, token: string): Promise<Visitor> {
  const panel = deps.panelLink.state();
  if (!panel) throw fail("panel_not_linked");
  const identity = await verifyIdentity(panel.secret, panel.instance_id, token, panelNow(deps));
  if (identity?.tenant_id !== panel.tenant_id) throw fail("panel_token_refused");
  return { ...identity, membership: panel.membership, revision: panel.revision };
}
