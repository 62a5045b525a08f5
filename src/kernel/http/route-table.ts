import type { AnyElysia } from "elysia";
import { type Rule, ruleOf } from "./access.ts";

/** One mounted API route. */
export interface RouteInfo {
  method: string;
  /** With `{name}` placeholders, as the contract writes them. */
  path: string;
  rule: Rule;
  /** Name of the feature that declares it. */
  feature: string;
  hooks: Record<string, unknown>;
}

const isHidden = (hooks: Record<string, unknown>): boolean => {
  const detail = hooks["detail"];
  return typeof detail === "object" && detail !== null && "hide" in detail;
};

/**
 * Every route of a built app, sorted by path; `owners` maps "METHOD /path" to the feature. Throws on a route without a
 * rule: Elysia would let it pass as public.
 */
export function listRoutes(app: AnyElysia, owners: ReadonlyMap<string, string>): RouteInfo[] {
  const routes: RouteInfo[] = [];
  for (const route of app.routes) {
    const hooks: Record<string, unknown> = route.hooks ?? {};
    if (isHidden(hooks)) continue;
    const key = `${route.method} ${route.path}`;
    const rule = ruleOf(route);
    if (!rule) throw new Error(`route ${key} has no access rule`);
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    routes.push({ method: route.method, path, rule, feature: owners.get(key) ?? "kernel", hooks });
  }
  return routes.sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}

/** A rule in words, as `routes` prints it and the snapshot keeps it. */
export function describeRule(rule: Rule): string {
  if (rule.kind === "open") return rule.orUser ? "open or-user" : "open";
  const scope = rule.scope === null ? "" : ` scope=${rule.scope}`;
  const exceptions = `${rule.whileLocked ? " while-locked" : ""}${rule.whileTemporary ? " while-temporary" : ""}`;
  const licence = rule.feature === undefined ? "" : ` feature=${rule.feature}`;
  return `${rule.role}${scope}${exceptions}${licence}`;
}
