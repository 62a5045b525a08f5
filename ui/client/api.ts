import { markReachable, markUnreachable } from "./connection.ts";
import { raiseLock, untilUnlocked } from "./lock.ts";
import { Problem, problemOf, unreachable } from "./problem.ts";
import type { In, Out, Route } from "./routes.ts";

/** What a call may carry beside its route. */
export interface CallOptions<R extends Route> {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: In<R>;
  signal?: AbortSignal;
  /** Set for calls whose 401 is an answer and not an expired session. */
  anonymous?: boolean;
}

let onSignedOut: () => void = () => {};
let refreshing: Promise<boolean> | null = null;

/** Registers what happens when the session is over and could not be refreshed. */
export function setSignedOutHandler(handler: () => void): void {
  onSignedOut = handler;
}

/**
 * Calls one route of the node's API with cookies, e.g. `api("GET /api/apps/{id}", { path: { id } })`.
 * A 401 leads to one silent refresh and one repeat. A 423 raises the lock; reading goes on after it, changes are not made behind
 * the back of whoever unlocks and fail instead. Throws Problem.
 */
export async function api<R extends Route>(route: R, options: CallOptions<R> = {}): Promise<Out<R>> {
  let response = await send(route, options);
  if (response.status === 401 && options.anonymous !== true) {
    if (await refreshSession()) response = await send(route, options);
    if (response.status === 401) onSignedOut();
  }
  while (response.status === 423) {
    raiseLock();
    if (!route.startsWith("GET ") || !(await untilUnlocked()) || options.signal?.aborted) break;
    response = await send(route, options);
  }
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return await new Response("null").json();
  return await response.json();
}

/** Exchanges the refresh cookie for a new session; calls at the same moment share one exchange. */
export function refreshSession(): Promise<boolean> {
  refreshing ??= fetch("/api/auth/refresh", { method: "POST", headers: jsonHeaders, body: "{}" })
    .then((response) => response.ok)
    .catch(() => false)
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

const jsonHeaders = { "content-type": "application/json" };

async function send<R extends Route>(route: R, options: CallOptions<R>): Promise<Response> {
  const [method = "GET", template = ""] = route.split(" ");
  const init: RequestInit = { method, cache: "no-store" };
  if (options.signal !== undefined) init.signal = options.signal;
  if (options.body instanceof FormData) init.body = options.body;
  else if (options.body !== undefined)
    Object.assign(init, { headers: jsonHeaders, body: JSON.stringify(options.body) });
  try {
    const response = await fetch(buildUrl(template, options.path, options.query), init);
    if (response.status < 502 || response.status > 504) markReachable();
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    markUnreachable();
    throw unreachable();
  }
}

/** Fills `{name}` parts and appends the query; throws when a part has no value. */
export function buildUrl(
  template: string,
  path: Record<string, string> = {},
  query: CallOptions<Route>["query"] = {},
): string {
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Problem(0, "page_error", `No value for {${name}} in ${template}`, {}, null);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size === 0 ? url : `${url}?${search}`;
}
