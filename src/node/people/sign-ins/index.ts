/** Sign-ins: what all ways in share once identity is proven — the session, its tokens, cookies and attempt counts. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { signInMeanings } from "./events.ts";

export { fail as signInFail } from "./contract.ts";
export { ACCESS_COOKIE, REFRESH_COOKIE, readAccessToken } from "./credentials.ts";
export {
  assertNoKey,
  clearCookies,
  continueSignIn,
  deliverSession,
  deliverTokens,
  finishSignIn,
  giveAttemptBack,
  originOf,
  type SignIn,
  type SignInDeps,
  takeAttempt,
  takeFrom,
} from "./finish.ts";

export const signIns = defineContextFeature<NodeContext>({
  name: "sign-ins",
  errors: fail.table,
  events: signInMeanings,
});
