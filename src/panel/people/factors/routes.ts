import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { type LoginBody, leaveToken } from "../sessions/index.ts";
import { factorRoutes } from "./contract.ts";
import {
  activateTotp,
  addKey,
  beginKey,
  disableTotp,
  listOwnKeys,
  makeRecoveryCodes,
  readTotpStatus,
  removeKey,
  renameOwnKey,
  startTotp,
} from "./manage.ts";
import type { Own } from "./needs.ts";
import { beginByKey, beginByPasskey, finishByCode, finishByKey, finishByPasskey, type SignedIn } from "./sign-in.ts";
import { beginStepUp, stepUp } from "./step-up.ts";

const ok = { status: "ok" as const };

/** Leaves what a sign-in gives with the browser. */
const leave = (
  { set, isHttps }: { set: { headers: Parameters<typeof leaveToken>[0] }; isHttps: boolean },
  { answer, cookie }: SignedIn,
): LoginBody => leaveToken(set.headers, isHttps, answer, [cookie]);

/** What answers the routes of second factors. */
export const bindFactorRoutes = (own: Own): BoundRoutes =>
  bindRoutes(factorRoutes, {
    "GET /api/auth/totp": ({ actor }) => readTotpStatus(own, actor),
    "POST /api/auth/totp/enable": ({ actor }) => startTotp(own, actor),
    "POST /api/auth/totp/verify": async ({ actor, ip, body }) => {
      await activateTotp(own, actor, ip, body.code);
      return { message: "Two-factor sign-in is on.", totp_enabled: true as const };
    },
    "POST /api/auth/totp/verify-login": async (asked) => leave(asked, await finishByCode(own, asked, asked.body)),
    "POST /api/auth/totp/disable": async ({ actor, ip }) => {
      await disableTotp(own, actor, ip);
      return ok;
    },
    "POST /api/auth/recovery-codes": ({ actor, ip }) => makeRecoveryCodes(own, actor, ip),
    "POST /api/auth/webauthn/login/begin": ({ body, request, isHttps }) =>
      beginByKey(own, body.mfa_token, request, isHttps),
    "POST /api/auth/webauthn/login/finish": async (asked) => leave(asked, await finishByKey(own, asked, asked.body)),
    "POST /api/auth/webauthn/register/begin": ({ actor, request, isHttps }) => beginKey(own, actor, request, isHttps),
    "POST /api/auth/webauthn/register/finish": ({ actor, ip, body }) => addKey(own, actor, ip, body),
    "GET /api/auth/webauthn/credentials": ({ actor }) => listOwnKeys(own, actor),
    "PATCH /api/auth/webauthn/credentials/{id}": ({ actor, params, body }) =>
      renameOwnKey(own, actor, params.id, body.name),
    "DELETE /api/auth/webauthn/credentials/{id}": async ({ actor, ip, params }) => {
      await removeKey(own, actor, ip, params.id);
      return ok;
    },
    "POST /api/auth/passkeys/login/begin": (asked) => beginByPasskey(own, asked),
    "POST /api/auth/passkeys/login/finish": async (asked) =>
      leave(asked, await finishByPasskey(own, asked, asked.body)),
    "POST /api/auth/step-up/begin": ({ actor, request, isHttps }) => beginStepUp(own, actor, request, isHttps),
    "POST /api/auth/step-up": ({ actor, body, ...asked }) => stepUp(own, actor, asked, body),
  });
