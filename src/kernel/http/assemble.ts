import { type AnyElysia, type Context, Elysia } from "elysia";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { checkFeatures, type Part } from "../feature.ts";
import type { Log } from "../log.ts";
import { type AnyRule, type OpenRule, open, type RuleKinds } from "./access.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import { answerJson } from "./answer-json.ts";
import { crossOrigin } from "./cors.ts";
import { kernelFail } from "./errors.ts";
import { mountRoutes } from "./handlers.ts";
import { describeApi } from "./openapi.ts";
import { keepForPage, type PageCookies, takePageKey } from "./page-cookies.ts";
import { requestFrame } from "./request-log.ts";
import { requestTurns } from "./request-turns.ts";
import { errorResponses, uncaughtAnswer } from "./respond-errors.ts";
import { listRoutes, type RouteInfo, routeKey } from "./route-table.ts";
import { SOCKET_LIMITS } from "./socket.ts";
import { staticUi } from "./static-ui.ts";
import { bodySchemaOf } from "./strict.ts";
import { refuseTwins } from "./twin-routes.ts";

interface Deps<R extends AnyRule> {
  title: string;
  version: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  answerCounts?: AnswerCounts;
  /** Folder of the built UI. */
  uiRoot: string;
  /** Foreign origins that may call with credentials. */
  allowedOrigins: readonly string[];
  /** Addresses of proxies whose word for who asks is taken. */
  trustedProxies: readonly string[];
  /** Largest body that any of its routes takes, where it is one of files as they come. */
  largestBodyBytes?: number;
  /** Cookies that are to reach its own page alone, where there are any. */
  pageCookies?: PageCookies;
  /** Kinds of rules that routes of this program may have. */
  rules: RuleKinds<R | OpenRule>;
}

/**
 * Beyond this the runtime itself refuses, without our words, unless a program says another limit. Every route has its own, most far below:
 * what nobody reads waits on its sender's side, not here.
 */
const RUNTIME_BODY_LIMIT_BYTES = 8 * 1_048_576;

/** A built program: what to listen with, and what it answers. */
export interface Assembled<R extends AnyRule> {
  app: AnyElysia;
  routes: RouteInfo<R | OpenRule>[];
  /** How many requests arrived so far. */
  requests(): number;
}

/** Lets pages say their key before anything looks at the address. */
function ownPage(cookies: PageCookies | undefined) {
  const plugin = new Elysia({ name: "own-page" });
  if (cookies === undefined) return plugin;
  return plugin.wrap((handle, request) => {
    const key = takePageKey(request, cookies);
    if (key === null) return handle;
    return async (...given: unknown[]) => {
      const answer = await handle(...given);
      if (answer instanceof Response) keepForPage(answer, key, cookies);
      return answer;
    };
  });
}

/**
 * Builds the HTTP application of a program from the parts of its features. Throws on duplicate routes, routes without a rule, clashing
 * features or error codes: such a program must not start.
 */
export function assembleApp<R extends AnyRule>(deps: Deps<R>, parts: readonly Part[], guard: AnyElysia): Assembled<R> {
  checkFeatures(
    parts.map(({ feature }) => feature),
    kernelFail.table,
  );
  let requests = 0;
  // Without normalising unknown fields are refused instead of dropped.
  const app: AnyElysia = new Elysia({
    normalize: false,
    // Whole numbers count as schemas that transform, and an answer with one would be copied field by field: half the time of a long list.
    encodeSchema: false,
    websocket: SOCKET_LIMITS,
    serve: {
      maxRequestBodySize: deps.largestBodyBytes ?? RUNTIME_BODY_LIMIT_BYTES,
      idleTimeout: 60,
      development: false,
      error: uncaughtAnswer(deps),
    },
    // Else the router looks for the path behind the eleventh character, past the first folder when the host is short.
    handler: { standardHostname: false },
  })
    .use(ownPage(deps.pageCookies))
    .use(requestTurns(deps.trustedProxies))
    .use(errorResponses(deps))
    .use(
      requestFrame(deps, () => {
        requests += 1;
      }),
    )
    .use(crossOrigin(deps.allowedOrigins))
    .use(answerJson());

  const owners = new Map<string, string>();
  for (const { feature, plugin: ownPlugin, routes: bound = [] } of parts) {
    const plugins = refuseTwins(() => [mountRoutes(guard, bound), ...(ownPlugin ? [ownPlugin()] : [])]);
    for (const plugin of plugins) {
      for (const route of plugin.routes) {
        const key = routeKey(route.method, route.path);
        // Elysia would silently let the later one win.
        if (owners.has(key)) throw new Error(`route ${key} of ${feature.name} belongs to ${owners.get(key)} already`);
        owners.set(key, feature.name);
        if (route.hooks) route.hooks.body = bodySchemaOf(route.method, route.hooks);
      }
      app.use(plugin);
    }
  }
  // Half a megabyte of text, written once: it takes longer than all else that anybody may ask for without signing in.
  let document: string | null = null;
  const describe = (set: Context["set"]): string => {
    document ??= JSON.stringify(describeApi(deps.title, deps.version, routes));
    set.headers["content-type"] = "application/json;charset=utf-8";
    return document;
  };
  app.use(
    new Elysia().use(guard).get("/api/openapi.json", ({ set }) => describe(set), {
      access: open(),
      detail: { summary: "This document" },
    } as never),
  );
  app.use(staticUi(deps.uiRoot, deps.ids));
  const routes = listRoutes(app, owners, deps.rules);
  return { app, routes, requests: () => requests };
}
