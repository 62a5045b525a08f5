import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { assertSameOrigin, readCookie } from "../../../kernel/http/own-page.ts";
import { bindRoutes } from "../../route.ts";
import {
  ACCESS_COOKIE,
  clearCookies,
  deliverTokens,
  originOf,
  REFRESH_COOKIE,
  readAccessToken,
} from "../sign-ins/index.ts";
import { authRoutes, fail, type RefreshInput } from "./contract.ts";
import { tellEnded } from "./ended.ts";
import { changeOwnPassword, readCpStatus, readMe, refreshSignIn, setUpOwner, signIn, signOut } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { assertSetupHost } from "./setup-host.ts";
import { readSignOutToken, SIGN_OUT_LIMITS } from "./sign-out-body.ts";

/** The refresh token of a request: from the body, or from the cookie when our own page sent it. */
function refreshTokenOf({ config }: Needs, request: Request, body: RefreshInput | null): string | null {
  if (body?.refresh_token) return body.refresh_token;
  const token = readCookie(request, REFRESH_COOKIE);
  if (token !== null) assertSameOrigin(request, config.allowed_origins);
  return token;
}

const isText = (value: string | null | undefined): value is string => typeof value === "string" && value !== "";

/** What answers the routes of signing in. */
export function bindAuthRoutes(needs: Needs): BoundRoutes {
  const readWithin = createBodyIntake(needs.clock, SIGN_OUT_LIMITS);
  return bindRoutes(authRoutes, {
    "POST /api/auth/setup": ({ body, ip, request }) => {
      assertSetupHost(needs, request);
      return setUpOwner(needs, body, ip);
    },
    "POST /api/auth/login": async ({ body, ip, isHttps, request, set }) => {
      const outcome = await signIn(needs, body, originOf(request, ip), request.signal);
      if (outcome.status === "signed_in") return deliverTokens(set.headers, outcome.done, isHttps);
      return { totp_required: true as const, temp_token: outcome.temp_token };
    },
    "POST /api/auth/refresh": ({ body, ip, isHttps, request, set }) => {
      const token = refreshTokenOf(needs, request, body);
      if (token === null) throw fail("refresh_missing");
      const { user: _, ...pair } = deliverTokens(set.headers, refreshSignIn(needs, token, ip), isHttps);
      return pair;
    },
    "POST /api/auth/logout": async ({ ip, isHttps, request, set }) => {
      const refresh = [await readSignOutToken(readWithin, ip, request), readCookie(request, REFRESH_COOKIE)];
      const access = [readAccessToken(request)?.token, readCookie(request, ACCESS_COOKIE)];
      await signOut(needs, refresh.filter(isText), access.filter(isText), ip);
      clearCookies(set.headers, isHttps);
      return { message: "Signed out." };
    },
    "GET /api/auth/me": ({ actor, set }) => {
      set.headers["x-event-id"] = needs.events.hub.lastId();
      return readMe(needs, actor);
    },
    "GET /api/auth/cp-status": () => readCpStatus(needs),
    "POST /api/auth/change-password": async ({ actor, body, ip, request }) => {
      const ended = tellEnded(await changeOwnPassword(needs, actor, body, ip, request.signal));
      return { message: `The password is changed. Your other sessions have ended${ended}.` };
    },
  });
}
