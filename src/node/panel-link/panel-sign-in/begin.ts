import { networksAround } from "../../../kernel/http/peer.ts";
import { minutes } from "../../../lib/duration.ts";
import { challengeOf } from "../../../shared/panel-identity/index.ts";
import { CALLBACK_PATH, type LinkedPanel } from "../panel-link/index.ts";
import { fail } from "./contract.ts";
import type { Needs, Own } from "./needs.ts";

export const BEGUN_MS = minutes(10);
const STATE_BYTES = 24;
const VERIFIER_BYTES = 48;

/** The panel as far as people can sign in with it. Throws `panel_not_linked`. */
export function panelOf({ panelLink }: Pick<Needs, "panelLink">): LinkedPanel & { cp_url: string } {
  const panel = panelLink.state();
  if (!panel || panel.cp_url === null) throw fail("panel_not_linked");
  return { ...panel, cp_url: panel.cp_url };
}

/**
 * Where a browser that opened the node at `origin` goes to be told apart, and the state that it has to bring back. Throws
 * `panel_not_linked`, `panel_address_unknown`.
 */
export function beginSignIn(
  deps: Pick<Own, "panelLink" | "ids" | "begun">,
  { origin, ip }: { origin: string; ip: string },
  next: string,
): { url: string; state: string } {
  const { cp_url, instance_id, revision } = panelOf(deps);
  const redirectUri = `${origin}${CALLBACK_PATH}`;
  if (!deps.panelLink.signInUrls().includes(redirectUri))
    throw fail("panel_address_unknown", { host: new URL(origin).host });
  const state = deps.ids.token(STATE_BYTES);
  const verifier = deps.ids.token(VERIFIER_BYTES);
  deps.begun.set(state, { revision, verifier, redirectUri, next }, networksAround(ip));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: instance_id,
    redirect_uri: redirectUri,
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
  });
  return { url: new URL(`/oauth/authorize?${query}`, cp_url).href, state };
}
