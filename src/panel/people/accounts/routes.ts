import { kernelFail } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { leaveToken, takeToken } from "../sessions/index.ts";
import { accountRoutes } from "./contract.ts";
import { chooseLanguage, readLanguage } from "./language.ts";
import { changePassword, getMe, logIn, logOut, refresh, register, updateProfile } from "./logic.ts";
import type { Own } from "./needs.ts";
import { takeOnboardingStep } from "./onboarding.ts";

/** What answers the routes of accounts. */
export const bindAccountRoutes = (own: Own): BoundRoutes =>
  bindRoutes(accountRoutes, {
    "POST /api/auth/register": ({ ip, request, body, query }) => register(own, { ip, request }, { ...query, ...body }),
    "POST /api/auth/login": async ({ ip, body, isHttps, request, set }) => {
      const { cookies, answer } = await logIn(own, { ip, isHttps, request }, body);
      return "token" in answer ? leaveToken(set.headers, isHttps, answer, cookies) : answer;
    },
    "GET /api/auth/me": ({ actor }) => getMe(own, actor),
    "PUT /api/auth/profile": ({ actor, ip, body }) => updateProfile(own, actor, ip, body.name),
    "GET /api/auth/language": ({ actor }) => readLanguage(own, actor),
    "PUT /api/auth/language": ({ actor, ip, body }) => chooseLanguage(own, actor, ip, body.language),
    "POST /api/auth/change-password": ({ actor, ip, request, body }) =>
      changePassword(own, actor, { ip, request }, body.old_password, body.new_password),
    "POST /api/auth/password": ({ actor, ip, request, body }) => {
      const given = body.old_password ?? body.current_password;
      if (given === undefined)
        throw kernelFail("invalid_request", { field: "old_password", reason: "is needed, or current_password" });
      return changePassword(own, actor, { ip, request }, given, body.new_password);
    },
    "POST /api/auth/onboarding": async ({ actor, ip, body, isHttps, set }) =>
      leaveToken(set.headers, isHttps, await takeOnboardingStep(own, actor, ip, body)),
    "POST /api/auth/refresh": async ({ actor, isHttps, set }) =>
      leaveToken(set.headers, isHttps, await refresh(own, actor)),
    "POST /api/auth/logout": async ({ actor, ip, isHttps, set }) => {
      await logOut(own, actor, ip);
      takeToken(set.headers, isHttps);
      return { status: "ok" as const };
    },
  });
