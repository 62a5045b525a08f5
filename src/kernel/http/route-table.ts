import type { AnyElysia } from "elysia";
import { type AnyRule, type RuleKind, type RuleKinds, ruleOf } from "./access.ts";

/** One mounted API route. */
export interface RouteInfo<R extends AnyRule = AnyRule> {
  method: string;
  /** With `{name}` placeholders, as the contract writes them. */
  path: string;
  rule: R;
  /** The rule in words. */
  access: string;
  schemes: RuleKind<R>["schemes"];
  /** Name of the feature that declares it. */
  feature: string;
  hooks: Record<string, unknown>;
}

const isHidden = (hooks: Record<string, unknown>): boolean => {
  const detail = hooks["detail"];
  return typeof detail === "object" && detail !== null && "hide" in detail;
};

/** What makes two routes the same one to a caller: names of path parameters do not tell them apart. */
export const routeKey = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ":*")}`;

/**
 * Every route of a built app, sorted by path; `owners` maps `routeKey` to the feature. Throws on a route without a
 * rule, which Elysia would let pass as public, and on a rule of a kind that the program does not have.
 */
export function listRoutes<R extends AnyRule>(
  app: AnyElysia,
  owners: ReadonlyMap<string, string>,
  kinds: RuleKinds<R>,
): RouteInfo<R>[] {
  const known = new Map(Object.entries<RuleKind<AnyRule>>(kinds));
  const routes: RouteInfo<R>[] = [];
  for (const route of app.routes) {
    const hooks: Record<string, unknown> = route.hooks ?? {};
    if (isHidden(hooks)) continue;
    const rule = ruleOf(route);
    if (!rule) throw new Error(`route ${route.method} ${route.path} has no access rule`);
    const kind = known.get(rule.kind);
    if (!kind) throw new Error(`route ${route.method} ${route.path} has a rule of the unknown kind ${rule.kind}`);
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    routes.push({
      method: route.method,
      path,
      // Its kind is one of the program's, and the guard takes no other shape.
      rule: rule as R,
      access: kind.print(rule),
      schemes: kind.schemes,
      feature: owners.get(routeKey(route.method, route.path)) ?? "kernel",
      hooks,
    });
  }
  return routes.sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}

/** One line a route: method, path, rule, feature. */
export function formatRoutes(routes: readonly RouteInfo[]): string[] {
  return routes.map(({ method, path, access, feature }) => `${method.padEnd(6)} ${path}  ${access}  [${feature}]`);
}
