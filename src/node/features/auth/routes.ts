import { Elysia } from "elysia";
import { open, user } from "../../../kernel/http/access.ts";
import type { NodeContext, NodeRoutes } from "../../context.ts";
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from "../sessions/index.ts";
import {
  fail,
  LoginInput,
  LoginResult,
  LogoutInput,
  Me,
  Message,
  PasswordChange,
  RefreshInput,
  SetupInput,
  SetupResult,
  TokenPair,
} from "./contract.ts";
import * as credentials from "./credentials.ts";
import { changeOwnPassword, readMe, refreshSignIn, type SignIn, setUpOwner, signIn, signOut } from "./logic.ts";

type ResponseHeaders = Record<string, string | number | string[]>;

/** Puts both tokens into cookies and returns what every sign-in answers. */
function deliverSignIn(headers: ResponseHeaders, done: SignIn, isHttps: boolean): LoginResult {
  headers["set-cookie"] = [
    credentials.sessionCookie(credentials.ACCESS_COOKIE, done.access_token, ACCESS_TOKEN_MS, isHttps),
    credentials.sessionCookie(credentials.REFRESH_COOKIE, done.refresh_token, REFRESH_TOKEN_MS, isHttps),
  ];
  return { access_token: done.access_token, refresh_token: done.refresh_token, token_type: "bearer", user: done.user };
}

function clearCookies(headers: ResponseHeaders, isHttps: boolean): void {
  headers["set-cookie"] = [credentials.ACCESS_COOKIE, credentials.REFRESH_COOKIE].map((name) =>
    credentials.sessionCookie(name, "", 0, isHttps),
  );
}

/** The refresh token of a request: from the body, or from the cookie when our own page sent it. */
function refreshTokenOf(ctx: NodeContext, request: Request, body: RefreshInput | null | undefined): string | null {
  if (body?.refresh_token) return body.refresh_token;
  const token = credentials.readCookie(request, credentials.REFRESH_COOKIE);
  if (token !== null) credentials.assertSameOrigin(request, ctx.config.allowed_origins);
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
        const device = credentials.describeDevice(request.headers.get("user-agent"));
        return deliverSignIn(set.headers, await signIn(ctx, body, { ip, device }), isHttps);
      },
      { access: open(), body: LoginInput, response: LoginResult },
    )
    .post(
      "/refresh",
      async ({ body, ip, isHttps, request, set }) => {
        const token = refreshTokenOf(ctx, request, body);
        if (token === null) throw fail("refresh_missing");
        const { user: _, ...pair } = deliverSignIn(set.headers, await refreshSignIn(ctx, token, ip), isHttps);
        return pair;
      },
      { access: open(), body: RefreshInput, response: TokenPair },
    )
    .post(
      "/logout",
      async ({ body, isHttps, request, set }) => {
        const refresh = [body?.refresh_token, credentials.readCookie(request, credentials.REFRESH_COOKIE)];
        const access = [
          credentials.readAccessToken(request)?.token,
          credentials.readCookie(request, credentials.ACCESS_COOKIE),
        ];
        await signOut(ctx, refresh.filter(isText), access.filter(isText));
        clearCookies(set.headers, isHttps);
        return { message: "Signed out." };
      },
      { access: open(), body: LogoutInput, response: Message },
    )
    .get("/me", ({ actor }) => readMe(ctx, actor), { access: user(null, { whileLocked: true }), response: Me })
    .post(
      "/change-password",
      async ({ actor, body, ip }) => {
        await changeOwnPassword(ctx, actor, body, ip);
        return { message: "The password is changed. Your other sessions have ended." };
      },
      { access: user(), body: PasswordChange, response: Message },
    );
