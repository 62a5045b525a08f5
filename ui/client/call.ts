import { addressOf } from "./base.ts";
import { markReachable, markUnreachable, untilLost } from "./connection.ts";
import { Problem, problemOf, unreachable } from "./problem.ts";

/** The calls of a program: each method and path with the JSON that goes in (`in`) and comes back (`out`). */
export type RouteMap<M> = { [R in keyof M]: { in?: unknown; out: unknown } };

/** A method and path of the API, exactly as the specification writes it. */
export type RouteOf<M> = keyof M & string;

/** The JSON body that a route takes; `undefined` when it takes none. */
export type InOf<M, R extends keyof M> = M[R] extends { in: infer B } ? B : undefined;

/** The JSON that a route answers. */
export type OutOf<M, R extends keyof M> = M[R] extends { out: infer B } ? B : never;

/** What a call may carry beside its route. */
export interface Call<B> {
  path?: Record<string, string>;
  /** A list is sent as the same parameter several times. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: B;
  signal?: AbortSignal;
  /** Sends it in place of `fetch`, where more is to be known of it. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Set for calls whose 401 is an answer and not an expired session. */
  anonymous?: boolean;
}

/** The result of renewing the session; only `over` means that it has ended. */
export type Renewal = "renewed" | "over" | "unknown";

/** How a program authenticates its calls, and what it does when the session has ended or is locked. */
export interface Access {
  /** Headers for every call, once the session is good for it; `isAnonymous` calls need none. */
  headers?: (isAnonymous: boolean) => Record<string, string> | Promise<Record<string, string>>;
  /** Sees every answer, for what its headers say. */
  onAnswer?: (response: Response) => void;
  /** Renews the session; after `renewed` the call is repeated. */
  renew: () => Promise<Renewal>;
  /** The session of a call sent at this `performance.now()` is over and could not be renewed. */
  onSignedOut: (sentAt: number) => void;
  /** Sees every refusal that the call ends with. */
  onRefused?: (problem: Problem) => void;
  /** The session was locked (423) for a call sent at this `performance.now()`: true once it may be repeated, false when it has failed. */
  onLocked?: (mayWait: boolean, sentAt: number) => Promise<boolean>;
}

/** Calls one route, e.g. `api("GET /api/apps/{id}", { path: { id } })`. Throws Problem. */
export type Api<M> = <R extends RouteOf<M>>(route: R, options?: Call<InOf<M, R>>) => Promise<OutOf<M, R>>;

/**
 * Makes the function that calls a program's routes. After a 401 the session is renewed and the call repeated, once. While
 * the session is locked (423) reads wait for the unlock; changes fail, so that nobody unlocks a page and finds that it has
 * just changed something.
 */
export function createApi<M extends RouteMap<M>>(access: Access): Api<M> {
  return async (route, options = {}) => {
    const isRead = route.startsWith("GET ");
    let sentAt = 0;
    let until: AbortSignal | null = null;
    const ask = async (): Promise<Response> => {
      sentAt = performance.now();
      // A read is asked for again when the server is back. A change may have happened, so its answer is waited for.
      until = isRead ? untilLost() : null;
      try {
        return await send(route, options, access, [options.signal ?? [], until ?? []].flat());
      } finally {
        if (!isRead) changedAt = performance.now();
      }
    };
    const fail = (error: unknown): never => {
      if (options.signal?.aborted || error instanceof SyntaxError || error instanceof Problem) throw error;
      if (until?.aborted !== true) markUnreachable();
      throw unreachable();
    };
    let response = await ask().catch(fail);
    if (response.status === 401 && options.anonymous !== true) {
      const renewal = await access.renew();
      if (renewal === "renewed") response = await ask().catch(fail);
      // A server that is busy or does not answer has not said that the session is over.
      if (response.status === 401 && renewal !== "unknown") access.onSignedOut(sentAt);
    }
    while (response.status === 423 && access.onLocked !== undefined) {
      if (!(await access.onLocked(isRead, sentAt)) || options.signal?.aborted) break;
      response = await ask().catch(fail);
    }
    if (!response.ok) {
      const problem = await problemOf(response);
      access.onRefused?.(problem);
      throw problem;
    }
    if (response.status === 204) return await new Response("null").json();
    // The connection may end within the answer.
    return await response.json().catch(fail);
  };
}

let changedAt = Number.NEGATIVE_INFINITY;

/** When this page last changed something on the server, or tried to, on the clock of `performance.now()`. */
export function lastChange(): number {
  return changedAt;
}

/** The header of a JSON body. */
export const jsonHeaders = { "content-type": "application/json" };

async function send(route: string, options: Call<unknown>, access: Access, given: AbortSignal[]): Promise<Response> {
  const [method = "GET", template = ""] = route.split(" ");
  const headers = (await access.headers?.(options.anonymous === true)) ?? {};
  const init: RequestInit = { method, cache: "no-store", headers };
  if (given.length > 0) init.signal = AbortSignal.any(given);
  if (options.body instanceof FormData || options.body instanceof Blob) init.body = options.body;
  else if (options.body !== undefined)
    Object.assign(init, { headers: { ...headers, ...jsonHeaders }, body: JSON.stringify(options.body) });
  const response = await (options.fetch ?? fetch)(addressOf(buildUrl(template, options.path, options.query)), init);
  if (response.status < 502 || response.status > 504) markReachable();
  access.onAnswer?.(response);
  return response;
}

/** Fills `{name}` parts and appends the query; throws when a part has no value. */
export function buildUrl(
  template: string,
  path: Record<string, string> = {},
  query: Call<unknown>["query"] = {},
): string {
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Problem(0, "page_error", `No value for {${name}} in ${template}`, {}, null);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) search.append(key, one);
    else if (value !== undefined) search.set(key, String(value));
  }
  return search.size === 0 ? url : `${url}?${search}`;
}
