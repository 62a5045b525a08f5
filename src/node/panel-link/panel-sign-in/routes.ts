import { Elysia } from "elysia";
import { redirects } from "../../../kernel/http/answers.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { readCookie } from "../../../kernel/http/own-page.ts";
import { createOutgoing, parseCidr } from "../../../kernel/outgoing/index.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import { minutes } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { createGate } from "../../../lib/gate.ts";
import { open } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { deliverTokens, originOf, takeAttempt } from "../../people/sign-ins/index.ts";
import { BEGUN_MS, type Begun, beginSignIn } from "./begin.ts";
import { CallbackQuery, fail, SessionQuery, StartQuery } from "./contract.ts";
import { identifyByCode, identifyByToken } from "./identify.ts";
import { admitVisitor } from "./visitors.ts";

const STATE_COOKIE = "panel_sign_in";
const MAX_BEGUN = 1_000;

/** A panel may well be on the same private network; an admin has connected this node to it. */
const PRIVATE = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "fc00::/7",
  "::1/128",
];

function stateCookie(value: string, maxAgeMs: number, secure: boolean): string {
  const options = { path: "/api/oauth", httpOnly: true, sameSite: "lax" as const, secure, maxAge: maxAgeMs / 1000 };
  return new Bun.Cookie(STATE_COOKIE, value, options).serialize();
}

/** A browser is taken back to the sign-in page, which says what went wrong; a program gets the error itself. */
function refuse(request: Request, error: unknown): Response {
  const isBrowser = request.headers.get("accept")?.includes("text/html") === true;
  if (!isBrowser || !(error instanceof AppError)) throw error;
  return new Response(null, { status: 302, headers: { location: `/?refused=${encodeURIComponent(error.code)}` } });
}

const goTo = (path: string, cookies: string[]): Response =>
  new Response(null, {
    status: 302,
    headers: [
      ["location", path],
      ["cache-control", "no-store"],
      ...cookies.map((each): [string, string] => ["set-cookie", each]),
    ],
  });

/** HEAD comes to the routes of GET: who only looks, such as a program that shows where a link leads, must not use it up. */
const onlyLooks = ({ method }: Request): boolean => method === "HEAD";

export const panelSignInRoutes: NodeRoutes = (ctx) => {
  const panelHttp = createOutgoing({ clock: ctx.clock, allowed: PRIVATE.map(parseCidr), ownPorts: ctx.ownPorts });
  const attempts = createLimiter(ctx.clock, 30, minutes(10));
  const begun = createExpiringMap<Begun>(ctx.clock, MAX_BEGUN);
  const deps = { ...ctx, panelHttp, begun, turn: createGate(1) };

  return new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .get(
      "/oauth/start",
      ({ request, query, isHttps, ip }) => {
        takeAttempt(attempts, ip);
        try {
          const host = request.headers.get("host") ?? "";
          const { url, state } = beginSignIn(deps, `${isHttps ? "https" : "http"}://${host}`, query.next ?? "/");
          return goTo(url, [stateCookie(state, BEGUN_MS, isHttps)]);
        } catch (error) {
          return refuse(request, error);
        }
      },
      { access: open(), query: StartQuery, ...redirects() },
    )
    .get(
      "/oauth/callback",
      async ({ request, query, isHttps, ip }) => {
        if (onlyLooks(request)) return goTo("/", []);
        takeAttempt(attempts, ip);
        try {
          const known = begun.take(query.state);
          if (!known || !constantTimeEqual(readCookie(request, STATE_COOKIE) ?? "", query.state))
            throw fail("panel_state_wrong");
          if (query.code === undefined) throw fail("panel_said_no", { reason: query.error ?? "it gave no code" });
          const identity = await identifyByCode(deps, query.code, known);
          return goTo(known.next, cookiesOf(await admitVisitor(deps, identity, originOf(request, ip)), isHttps));
        } catch (error) {
          return refuse(request, error);
        }
      },
      { access: open(), query: CallbackQuery, ...redirects() },
    )
    .get(
      "/cp/session",
      async ({ request, query, isHttps, ip }) => {
        if (onlyLooks(request)) return goTo("/", []);
        takeAttempt(attempts, ip);
        try {
          const identity = await identifyByToken(ctx, query.token);
          return goTo("/", cookiesOf(await admitVisitor(deps, identity, originOf(request, ip)), isHttps));
        } catch (error) {
          return refuse(request, error);
        }
      },
      { access: open(), query: SessionQuery, ...redirects() },
    );
};

function cookiesOf(done: Parameters<typeof deliverTokens>[1], isHttps: boolean): string[] {
  const headers: Record<string, string | number | string[]> = {};
  deliverTokens(headers, done, isHttps);
  const cookies = headers["set-cookie"];
  return [...(Array.isArray(cookies) ? cookies : []), stateCookie("", 0, isHttps)];
}
