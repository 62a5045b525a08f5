import type { AnyElysia } from "elysia";
import { type AnyRule, type Rule, ruleOf } from "./access.ts";

/** One mounted API route. */
export interface RouteInfo<R extends AnyRule = Rule> {
  method: string;
  /** With `{name}` placeholders, as the contract writes them. */
  path: string;
  rule: R;
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
 * rule: Elysia would let it pass as public.
 */
export function listRoutes<R extends AnyRule = Rule>(
  app: AnyElysia,
  owners: ReadonlyMap<string, string>,
): RouteInfo<R>[] {
  const routes: RouteInfo<R>[] = [];
  for (const route of app.routes) {
    const hooks: Record<string, unknown> = route.hooks ?? {};
    if (isHidden(hooks)) continue;
    const rule = ruleOf(route);
    if (!rule) throw new Error(`route ${route.method} ${route.path} has no access rule`);
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    routes.push({
      method: route.method,
      path,
      // The guard of the program took the rule, so that it is one of its own.
      rule: rule as R,
      feature: owners.get(routeKey(route.method, route.path)) ?? "kernel",
      hooks,
    });
  }
  return routes.sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}

/** A rule in words, as `routes` prints it and the snapshot keeps it. */
export function describeRule(rule: AnyRule): string {
  if (rule.kind === "permission") {
    const { permission, ownRole, whileExpired, whileSuspended } = rule;
    const exceptions = `${whileExpired ? " while-expired" : ""}${whileSuspended ? " while-suspended" : ""}`;
    return `${permission ?? "signed-in"}${ownRole ? " own-role" : ""}${exceptions}`;
  }
  if (rule.kind === "open") return rule.orUser ? "open or-user" : "open";
  const scope = rule.scope === null ? "" : ` scope=${rule.scope}`;
  const exceptions = `${rule.whileLocked ? " while-locked" : ""}${rule.whileTemporary ? " while-temporary" : ""}`;
  const licence = rule.feature === undefined ? "" : ` feature=${rule.feature}`;
  return `${rule.role}${scope}${exceptions}${licence}`;
}

/** One line a route: method, path, rule, feature. */
export function formatRoutes(routes: readonly RouteInfo<AnyRule>[]): string[] {
  return routes.map(
    ({ method, path, rule, feature }) => `${method.padEnd(6)} ${path}  ${describeRule(rule)}  [${feature}]`,
  );
}
