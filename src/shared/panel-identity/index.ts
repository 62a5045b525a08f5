/** How a panel tells one of its nodes who somebody is: tokens under the secret that both of them share. */

export { signAssertion, TOKEN_PATH, VISITS_PATH, verifyAssertion } from "./assertion.ts";
export { IDENTITY_SECONDS, type PanelIdentity, signIdentity, verifyIdentity } from "./identity.ts";
export { CODE_VERIFIER, challengeOf } from "./pkce.ts";
