import type { AnyElysia } from "elysia";
import type { Part } from "../../src/kernel/feature.ts";
import type { AnyRule, OpenRule } from "../../src/kernel/http/access.ts";
import type { Assembled } from "../../src/kernel/http/assemble.ts";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";

/** A program that is mounted as far as it is asked. */
export interface Mounted<R extends AnyRule> {
  /** Answers with the features that have a route for the path, and with all of them when none has. */
  handle(request: Request): Promise<Response>;
  /** The whole program. */
  whole(): AnyElysia;
  routes(): RouteInfo<R | OpenRule>[];
}

/** `POST /api/apps/{id}` as a test of paths. A test of the path alone, so that a wrong method meets the right feature. */
function patternOf(route: string): RegExp {
  const path = route.slice(route.indexOf(" ") + 1).replace(/[.+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+").replaceAll("*", ".*")}/?$`);
}

/** The paths of a feature's routes by its static half, which all programs of a run share. */
const patterns = new WeakMap<Part["feature"], RegExp[]>();

function patternsOf({ feature, routes = [] }: Part): RegExp[] {
  const known = patterns.get(feature);
  if (known) return known;
  const found = routes.flatMap(({ table }) => Object.keys(table).map(patternOf));
  patterns.set(feature, found);
  return found;
}

/**
 * To mount some hundred routes takes longer than most tests, which call two or three of them: each feature is mounted when a path
 * of its own is asked for, together with every other one that could answer there, behind the one guard that all of them have.
 */
export function mountAsAsked<R extends AnyRule>(
  parts: readonly Part[],
  mount: (parts: readonly Part[]) => Assembled<R>,
): Mounted<R> {
  const built = new Map<string, Assembled<R>>();

  function assembled(some: readonly Part[]): Assembled<R> {
    const key = some.map(({ feature }) => feature.name).join(" ");
    const known = built.get(key) ?? mount(some);
    built.set(key, known);
    return known;
  }

  function answering(path: string): readonly Part[] {
    const some = parts.filter((part) => patternsOf(part).some((pattern) => pattern.test(path)));
    return some.length > 0 ? some : parts;
  }

  return {
    handle: async (request) => assembled(answering(new URL(request.url).pathname)).app.handle(request),
    whole: () => assembled(parts).app,
    routes: () => assembled(parts).routes,
  };
}
