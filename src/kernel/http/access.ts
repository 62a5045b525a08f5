import { type AnyElysia, Elysia } from "elysia";
import { createTurnstile } from "../../lib/turnstile.ts";
import { createBodyBudget } from "./body-budget.ts";
import { BODY_LIMIT_BYTES, readJsonBody } from "./json-body.ts";
import { describePeer, networkOf, type Peer, type PeerContext, plainAddress } from "./peer.ts";

/** Node roles from least to most. */
export type Role = "viewer" | "member" | "admin";

/** What a route asks of its caller. Frozen data: published in OpenAPI, printed by `routes`, tested as a matrix. */
export type Rule = Readonly<
  | {
      kind: "open";
      /** Recognises a caller who brings credentials; without them it is open all the same. */
      orUser?: true;
    }
  | {
      kind: "session";
      role: Role;
      /** API-key scope that covers the route; null means only an all-scope key does. */
      scope: string | null;
      /** Answers while the session is locked. */
      whileLocked?: boolean;
      /** Answers while the account still has a temporary password. */
      whileTemporary?: boolean;
      /** Licensed feature that the route is part of: 402 on plans without it. */
      feature?: string;
    }
>;

/** What a route of a program with permissions instead of ranks asks of its caller. */
export type PermissionRule = Readonly<{
  kind: "permission";
  /** Null lets every signed-in caller through. */
  permission: string | null;
  /** Only the role in the workspace counts; staff hold nothing more here. */
  ownRole?: true;
  /** Takes a token that has expired, as long as it can still be renewed. */
  whileExpired?: true;
  /** Answers while the workspace is suspended. */
  whileSuspended?: true;
}>;

/** A rule of any program. */
export type AnyRule = Rule | PermissionRule;

/** Callers who hold a permission; with null everybody who is signed in. */
export const can = (
  permission: string | null,
  extra: Omit<PermissionRule, "kind" | "permission"> = {},
): PermissionRule => Object.freeze({ kind: "permission", permission, ...extra });

/** Anyone, without credentials. */
export const open = (extra: { orUser?: true } = {}): Extract<Rule, { kind: "open" }> =>
  Object.freeze({ kind: "open", ...extra });

/** Any signed-in user. */
export const user = (
  scope: string | null = null,
  extra: { whileLocked?: boolean; whileTemporary?: boolean; feature?: string } = {},
): Rule => Object.freeze({ kind: "session", role: "viewer", scope, ...extra });

/** Members and admins: people who may change their own things. */
export const member = (scope: string | null = null): Rule => Object.freeze({ kind: "session", role: "member", scope });

/** Admins only. */
export const admin = (scope: string | null = null, extra: { feature?: string } = {}): Rule =>
  Object.freeze({ kind: "session", role: "admin", scope, ...extra });

/** The caller of a request as far as the kernel knows it. */
export interface Caller {
  request: Request;
  /** Address of the other end, proxies that we trust taken off. */
  ip: string;
}

/** Decides a rule for a caller; throws AppError to refuse. */
export type Authorize<Actor, R extends AnyRule = Rule> = (caller: Caller, rule: R) => Promise<Actor>;

/** Requests with a body that are begun in one turn of the event loop: of a crowd the rest wait, and who only asks goes in between. */
const BODIES_PER_TURN = 4;
/** Bodies that one network may have on their way at a time; an ordinary one is a thousandth of the limit. */
const BODIES_BYTES = 8 * BODY_LIMIT_BYTES;

const rechecks = new WeakMap<Request, () => Promise<boolean>>();

/**
 * Decides a request's rule anew, for answers that last: a stream must not outlive the token, the role or the account that
 * opened it. True for requests that met no rule.
 */
export async function isStillAllowed(request: Request): Promise<boolean> {
  return (await rechecks.get(request)?.()) ?? true;
}

/**
 * The one guard of the system. Every feature starts its routes with `.use(ctx.guard)`; `{ access: admin("apps") }` on a
 * route then checks the rule before the body is read and before validation (so that an anonymous caller never learns what
 * a valid body looks like) and hands `actor`, `ip` and `isHttps` to the handler. Bodies are JSON unless the route sets
 * `parse`.
 */
export function accessPlugin<Actor, R extends AnyRule = Rule>(
  authorize: Authorize<Actor, R>,
  trustedProxies: readonly string[],
) {
  const proxies = trustedProxies.map((address) => plainAddress(address) ?? address);
  const pass = createTurnstile(BODIES_PER_TURN);
  const readWithin = createBodyBudget(BODIES_BYTES);
  const decided = new WeakMap<Request, Promise<Peer & { actor: Actor }>>();
  const decide = (context: PeerContext, rule: R): Promise<Peer & { actor: Actor }> => {
    const known = decided.get(context.request);
    if (known) return known;
    const peer = describePeer(context, proxies);
    const ask = () => authorize({ request: context.request, ip: peer.ip }, rule);
    const decision = ask().then((actor) => ({ actor, ...peer }));
    decided.set(context.request, decision);
    rechecks.set(context.request, () =>
      ask().then(
        () => true,
        () => false,
      ),
    );
    return decision;
  };
  return new Elysia({ name: "access" }).macro({
    access: (rule: R) => ({
      detail: { "x-access": rule } as never,
      parse: async ({ request, server }) => {
        await pass();
        const { ip } = await decide({ request, server }, rule);
        return await readWithin(networkOf(ip), (take) => readJsonBody(request, take));
      },
      transform: async ({ request, server }) => {
        await decide({ request, server }, rule);
      },
      resolve: async ({ request, server }) => ({ ...(await decide({ request, server }, rule)) }),
    }),
  });
}

/** Spread into a route whose handler reads the body itself; nothing is read before it. */
export const UPLOAD = { parse: "none" as const };

/** Rule of a mounted route, or null when it has none (which stops the boot). */
export function ruleOf(route: AnyElysia["routes"][number]): AnyRule | null {
  const detail: unknown = route.hooks?.detail;
  if (typeof detail !== "object" || detail === null || !("x-access" in detail)) return null;
  return detail["x-access"] as AnyRule;
}
