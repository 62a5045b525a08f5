import { type AnyElysia, Elysia } from "elysia";

/** Node roles from least to most. */
export type Role = "viewer" | "member" | "admin";

/** What a route asks of its caller. Frozen data: published in OpenAPI, printed by `routes`, tested as a matrix. */
export type Rule = Readonly<
  | { kind: "open" }
  | {
      kind: "session";
      role: Role;
      /** API-key scope that covers the route; null means only an all-scope key does. */
      scope: string | null;
      /** Answers while the session is locked. */
      whileLocked?: boolean;
    }
>;

/** Anyone, without credentials. */
export const open = (): Rule => Object.freeze({ kind: "open" });

/** Any signed-in user. */
export const user = (scope: string | null = null, extra: { whileLocked?: boolean } = {}): Rule =>
  Object.freeze({ kind: "session", role: "viewer", scope, ...extra });

/** Members and admins: people who may change their own things. */
export const member = (scope: string | null = null): Rule => Object.freeze({ kind: "session", role: "member", scope });

/** Admins only. */
export const admin = (scope: string | null = null): Rule => Object.freeze({ kind: "session", role: "admin", scope });

/** The caller of a request as far as the kernel knows it. */
export interface Caller {
  request: Request;
  /** Address of the other end, proxies that we trust taken off. */
  ip: string;
}

/** Decides a rule for a caller; throws AppError to refuse. */
export type Authorize<Actor> = (caller: Caller, rule: Rule) => Promise<Actor>;

interface HookContext {
  request: Request;
  server: { requestIP(request: Request): { address: string } | null } | null;
}

/**
 * The one guard of the system. Every feature starts its routes with `guarded(ctx)`; `{ access: admin("apps") }` on a
 * route then checks the rule before body parsing and before validation (so that an anonymous caller never learns what a
 * valid body looks like) and hands `actor` to the handler.
 */
export function accessPlugin<Actor>(authorize: Authorize<Actor>, trustedProxies: readonly string[]) {
  const decided = new WeakMap<Request, Promise<Actor>>();
  const decide = (context: HookContext, rule: Rule): Promise<Actor> => {
    const known = decided.get(context.request);
    if (known) return known;
    const decision = authorize({ request: context.request, ip: clientIp(context, trustedProxies) }, rule);
    decided.set(context.request, decision);
    return decision;
  };
  return new Elysia({ name: "access" }).macro({
    access: (rule: Rule) => ({
      detail: { "x-access": rule } as never,
      parse: async ({ request, server }) => {
        await decide({ request, server }, rule);
      },
      transform: async ({ request, server }) => {
        await decide({ request, server }, rule);
      },
      resolve: async ({ request, server }) => ({
        actor: await decide({ request, server }, rule),
        ip: clientIp({ request, server }, trustedProxies),
      }),
    }),
  });
}

/** The peer's address, or what a trusted proxy says it is (the right-most address that is not itself trusted). */
export function clientIp({ request, server }: HookContext, trustedProxies: readonly string[]): string {
  const peer = server?.requestIP(request)?.address.replace(/^::ffff:/, "") ?? "127.0.0.1";
  if (!trustedProxies.includes(peer)) return peer;
  const forwarded =
    request.headers
      .get("x-forwarded-for")
      ?.split(",")
      .map((part) => part.trim()) ?? [];
  return forwarded.findLast((address) => !trustedProxies.includes(address)) ?? peer;
}

/** Rule of a mounted route, or null when it has none (which stops the boot). */
export function ruleOf(route: AnyElysia["routes"][number]): Rule | null {
  const detail: unknown = route.hooks?.detail;
  if (typeof detail !== "object" || detail === null || !("x-access" in detail)) return null;
  return detail["x-access"] as Rule;
}
