import { secretPurpose } from "../choices.ts";
import type { Flow } from "../flows.ts";
import type { Own } from "../needs.ts";
import { type Heard, ProviderFailure } from "../provider.ts";
import type { ConnectorRow } from "../store.ts";
import { requestUrl } from "./request.ts";
import { readSettings } from "./settings.ts";

const NOTHING: Heard = { answered_ms: null, header: null, claims: null, said: null };

/** The id of the request that a sign-in sends, which the answer has to name. */
export const requestIdOf = ({ nonce }: Pick<Flow, "nonce">): string => `_${nonce}`;

/** Our own key of a connector, PEM; null for none. */
export const openOwnKey = (own: Pick<Own, "seal">, { id, sealed_secret }: ConnectorRow): string | null =>
  sealed_secret === null ? null : own.seal.open(secretPurpose(id), sealed_secret);

/** Where to send a browser to sign in. Throws ProviderFailure while no provider is known. */
export function requestUrlOf(
  own: Pick<Own, "seal" | "clock">,
  connector: ConnectorRow,
  flow: Flow,
  addresses: { entity_id: string; acs_url: string },
  relay_state: string,
  login_hint: string | null,
): string {
  const settings = readSettings(connector.saml);
  if (!settings?.sign_on_url)
    throw new ProviderFailure("unreachable", "It is not known yet where people sign in.", NOTHING);
  return requestUrl({
    ...{ id: requestIdOf(flow), now: own.clock.now(), sign_on_url: settings.sign_on_url, relay_state, login_hint },
    ...addresses,
    private_key: settings.signs_requests ? openOwnKey(own, connector) : null,
  });
}
