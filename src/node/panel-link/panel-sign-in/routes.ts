import { AppError } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { readCookie } from "../../../kernel/http/own-page.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import { deliverTokens, originOf, takeAttempt } from "../../people/sign-ins/index.ts";
import { bindRoutes } from "../../route.ts";
import { BEGUN_MS, beginSignIn } from "./begin.ts";
import { fail, panelSignInRoutes } from "./contract.ts";
import { identifyByCode, identifyByToken } from "./identify.ts";
import type { Own } from "./needs.ts";
import { admitVisitor } from "./visitors.ts";

const STATE_COOKIE = "panel_sign_in";

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

/** What answers the routes of sign-ins from the panel. */
export const bindPanelSignInRoutes = (own: Own): BoundRoutes =>
  bindRoutes(panelSignInRoutes, {
    "GET /api/oauth/start": ({ request, query, isHttps, ip }) => {
      takeAttempt(own.attempts, ip);
      try {
        const host = request.headers.get("host") ?? "";
        const { url, state } = beginSignIn(own, `${isHttps ? "https" : "http"}://${host}`, query.next ?? "/");
        return goTo(url, [stateCookie(state, BEGUN_MS, isHttps)]);
      } catch (error) {
        return refuse(request, error);
      }
    },
    "GET /api/oauth/callback": async ({ request, query, isHttps, ip }) => {
      if (onlyLooks(request)) return goTo("/", []);
      takeAttempt(own.attempts, ip);
      try {
        const known = own.begun.take(query.state);
        if (!known || !constantTimeEqual(readCookie(request, STATE_COOKIE) ?? "", query.state))
          throw fail("panel_state_wrong");
        if (query.code === undefined) throw fail("panel_said_no", { reason: query.error ?? "it gave no code" });
        const identity = await identifyByCode(own, query.code, known);
        return goTo(known.next, cookiesOf(await admitVisitor(own, identity, originOf(request, ip)), isHttps));
      } catch (error) {
        return refuse(request, error);
      }
    },
    "GET /api/cp/session": async ({ request, query, isHttps, ip }) => {
      if (onlyLooks(request)) return goTo("/", []);
      takeAttempt(own.attempts, ip);
      try {
        const identity = await identifyByToken(own, query.token);
        return goTo("/", cookiesOf(await admitVisitor(own, identity, originOf(request, ip)), isHttps));
      } catch (error) {
        return refuse(request, error);
      }
    },
  });

function cookiesOf(done: Parameters<typeof deliverTokens>[1], isHttps: boolean): string[] {
  const headers: Record<string, string | number | string[]> = {};
  deliverTokens(headers, done, isHttps);
  const cookies = headers["set-cookie"];
  return [...(Array.isArray(cookies) ? cookies : []), stateCookie("", 0, isHttps)];
}
