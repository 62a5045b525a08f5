import { Elysia } from "elysia";
import { assertSameOrigin, readCookie } from "../../../kernel/http/own-page.ts";
import { open, user } from "../../access.ts";
import type { NodeContext, NodeRoutes } from "../../context.ts";
import {
  ACCESS_COOKIE,
  clearCookies,
  deliverTokens,
  originOf,
  REFRESH_COOKIE,
  readAccessToken,
} from "../sign-ins/index.ts";
import {
  CpStatus,
  fail,
  LoginInput,
  LoginOutcome,
  LogoutInput,
  Me,
  Message,
  PasswordChange,
  RefreshInput,
  SetupInput,
  SetupResult,
  TokenPair,
} from "./contract.ts";
import { changeOwnPassword, readCpStatus, readMe, refreshSignIn, setUpOwner, signIn, signOut } from "./logic.ts";

/** The refresh token of a request: from the body, or from the cookie when our own page sent it. */
function refreshTokenOf(ctx: NodeContext, request: Request, body: RefreshInput | null | undefined): string | null {
  if (body?.refresh_token) return body.refresh_token;
  const token = readCookie(request, REFRESH_COOKIE);
  if (token !== null) assertSameOrigin(request, ctx.config.allowed_origins);
  return token;
}

const isText = (value: string | null | undefined): value is string => typeof value === "string" && value !== "";

export const authRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/auth" })
    .use(ctx.guard)
    .post("/setup", ({ body, ip }) => setUpOwner(ctx, body, ip), {
      access: open(),
      body: SetupInput,
      response: SetupResult,
    })
    .post(
      "/login",
      async ({ body, ip, isHttps, request, set }) => {
        const outcome = await signIn(ctx, body, originOf(request, ip));
        if (outcome.status === "signed_in") return deliverTokens(set.headers, outcome.done, isHttps);
        return { totp_required: true as const, temp_token: outcome.temp_token };
      },
      { access: open(), body: LoginInput, response: LoginOutcome },
    )
    .post(
      "/refresh",
      ({ body, ip, isHttps, request, set }) => {
        const token = refreshTokenOf(ctx, request, body);
        if (token === null) throw fail("refresh_missing");
        const { user: _, ...pair } = deliverTokens(set.headers, refreshSignIn(ctx, token, ip), isHttps);
        return pair;
      },
      { access: open(), body: RefreshInput, response: TokenPair },
    )
    .post(
      "/logout",
      async ({ body, ip, isHttps, request, set }) => {
        const refresh = [body?.refresh_token, readCookie(request, REFRESH_COOKIE)];
        const access = [readAccessToken(request)?.token, readCookie(request, ACCESS_COOKIE)];
        await signOut(ctx, refresh.filter(isText), access.filter(isText), ip);
        clearCookies(set.headers, isHttps);
        return { message: "Signed out." };
      },
      { access: open(), body: LogoutInput, response: Message },
    )
    .get("/me", ({ actor }) => readMe(ctx, actor), {
      access: user(null, { whileLocked: true, whileTemporary: true }),
      response: Me,
    })
    .get("/cp-status", () => readCpStatus(ctx), {
      access: open(),
      response: CpStatus,
    })
    .post(
      "/change-password",
      async ({ actor, body, ip }) => {
        await changeOwnPassword(ctx, actor, body, ip);
        return { message: "The password is changed. Your other sessions have ended." };
      },
      { access: user(null, { whileTemporary: true }), body: PasswordChange, response: Message },
    );
