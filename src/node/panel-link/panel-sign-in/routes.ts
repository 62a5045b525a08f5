import { AppError } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { readCookie } from "../../../kernel/http/own-page.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import { deliverTokens, originOf, takeAttempt } from "../../people/sign-ins/index.ts";
import { bindRoutes } from "../../route.ts";
import { ASKING_MS, assertPage, findSessionHere, findSomebodyElse, holdArrival } from "./arrive.ts";
import { ASKING_POLICY, renderAskingPage } from "./asking-page.ts";
import { BEGUN_MS, beginSignIn } from "./begin.ts";
import { fail, panelSignInRoutes } from "./contract.ts";
import { identifyByCode, identifyByToken } from "./identify.ts";
import type { Arrival, Own } from "./needs.ts";
import { admitVisitor } from "./visitors.ts";

const STATE_COOKIE = "panel_sign_in";
const CONFIRM_COOKIE = "panel_arrival";

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

const confirmCookie = (value: string, maxAgeMs: number, secure: boolean): string =>
  new Bun.Cookie(CONFIRM_COOKIE, value, {
    path: "/api/cp",
    httpOnly: true,
    sameSite: "strict",
    secure,
    maxAge: maxAgeMs / 1000,
  }).serialize();

/** Lets somebody in whom the panel has told us of; whoever else is signed in with this browser is asked first. */
async function arrive(
  own: Own,
  { request, ip, isHttps }: { request: Request; ip: string; isHttps: boolean },
  { identity, next }: Arrival,
): Promise<Response> {
  const here = await findSomebodyElse(own, request, identity);
  if (here === null) return goTo(next, cookiesOf(await admitVisitor(own, identity, originOf(request, ip)), isHttps));
  const confirm = holdArrival(own, identity, next);
  const page = renderAskingPage(here, identity.email, `/api/cp/session?token=panel&confirm=${confirm}`);
  return new Response(page, {
    headers: [
      ["content-type", "text/html; charset=utf-8"],
      ["cache-control", "no-store"],
      ["content-security-policy", ASKING_POLICY],
      ["set-cookie", confirmCookie(confirm, ASKING_MS, isHttps)],
    ],
  });
}

/** Lets in whom the button was pressed for, in the browser that was asked. Throws `panel_token_refused`. */
async function admitConfirmed(
  own: Own,
  { request, ip, isHttps }: { request: Request; ip: string; isHttps: boolean },
  confirm: string,
): Promise<Response> {
  const isAsked = constantTimeEqual(readCookie(request, CONFIRM_COOKIE) ?? "", confirm);
  const arrival = isAsked ? own.arrivals.take(confirm) : null;
  if (!arrival) throw fail("panel_token_refused");
  const before = await findSessionHere(own, request);
  const done = await admitVisitor(own, arrival.identity, originOf(request, ip));
  // The page keeps to a session of its own while that goes on.
  if (before) own.sessions.cut(before.id);
  return goTo(arrival.next, [...cookiesOf(done, isHttps), confirmCookie("", 0, isHttps)]);
}

/** HEAD comes to the routes of GET: who only looks, such as a program that shows where a link leads, must not use it up. */
const onlyLooks = ({ method }: Request): boolean => method === "HEAD";

/** What answers the routes of sign-ins from the panel. */
export const bindPanelSignInRoutes = (own: Own): BoundRoutes =>
  bindRoutes(panelSignInRoutes, {
    "GET /api/oauth/start": ({ request, query, isHttps, ip }) => {
      takeAttempt(own.attempts, ip);
      try {
        const host = request.headers.get("host") ?? "";
        const { url, state } = beginSignIn(
          own,
          { origin: `${isHttps ? "https" : "http"}://${host}`, ip },
          query.next ?? "/",
        );
        return goTo(url, [stateCookie(state, BEGUN_MS, isHttps)]);
      } catch (error) {
        return refuse(request, error);
      }
    },
    "GET /api/oauth/callback": async ({ request, query, isHttps, ip }) => {
      if (onlyLooks(request)) return goTo("/", []);
      takeAttempt(own.attempts, ip);
      try {
        assertPage(request);
        const known = own.begun.take(query.state);
        if (!known || !constantTimeEqual(readCookie(request, STATE_COOKIE) ?? "", query.state))
          throw fail("panel_state_wrong");
        if (query.code === undefined)
          throw fail("panel_said_no", {
            reason: query.error === "access_denied" ? "you said no there" : "it gave no code",
          });
        const identity = await identifyByCode(own, query.code, known);
        return await arrive(own, { request, ip, isHttps }, { identity, next: known.next });
      } catch (error) {
        return refuse(request, error);
      }
    },
    "GET /api/cp/session": async ({ request, query, isHttps, ip }) => {
      if (onlyLooks(request)) return goTo("/", []);
      takeAttempt(own.attempts, ip);
      try {
        assertPage(request);
        if (query.confirm !== undefined) return await admitConfirmed(own, { request, ip, isHttps }, query.confirm);
        const identity = await identifyByToken(own, query.token);
        return await arrive(own, { request, ip, isHttps }, { identity, next: query.next ?? "/" });
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
