import type { RuleKinds } from "../kernel/http/access.ts";

export { open } from "../kernel/http/access.ts";

/** Roles from least to most. */
export type Role = "viewer" | "member" | "admin";

/** How far up a role is. */
export const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2 };

/**
 * What API keys may do on a route that makes, raises or hands out something: `never` for what would outlive or outrank the
 * key; `bounded` where the handler keeps it below the key that asks.
 */
export type KeyUse = "never" | "bounded";

type OpenRule = Readonly<{
  kind: "open";
  /** Recognises a caller who brings credentials, which are no API key; without them it is open all the same. */
  orUser?: true;
  /** Answers 409 as soon as there is a user, whatever is sent. */
  untilSetUp?: true;
  /** The feature knows its callers by keys of its own, and limits how much each of them, and whoever has none, may ask. */
  ownKey?: true;
}>;

/** Somebody who is signed in, or a program with a key of theirs. */
export type SessionRule = Readonly<{
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
  /** Component of the system that the route works with: 404 while it is off. */
  component?: string;
  /** Left out where nothing that is made there lets anybody in. */
  keys?: KeyUse;
}>;

type DavRule = Readonly<{
  kind: "dav";
  role: Role;
  /** Component of the system that the route works with: 404 while it is off. */
  component: string;
}>;

/** What a route of the node asks of its caller. */
export type NodeRule = OpenRule | SessionRule | DavRule;

/** Anyone; who brings credentials is recognised. */
export const openOrUser = (): NodeRule => Object.freeze({ kind: "open", orUser: true });

/** Anyone, as long as the node has no owner. */
export const openUntilSetUp = (): NodeRule => Object.freeze({ kind: "open", untilSetUp: true });

/** Whoever shows a key that only this feature knows; it checks and limits its callers itself. */
export const openWithOwnKey = (): NodeRule => Object.freeze({ kind: "open", ownKey: true });

/** Any signed-in user. */
export const user = (
  scope: string | null = null,
  extra: { whileLocked?: boolean; whileTemporary?: boolean; feature?: string; component?: string; keys?: KeyUse } = {},
): NodeRule => Object.freeze({ kind: "session", role: "viewer", scope, ...extra });

/** Members and admins: people who may change their own things. */
export const member = (
  scope: string | null = null,
  extra: { feature?: string; component?: string; keys?: KeyUse } = {},
): NodeRule => Object.freeze({ kind: "session", role: "member", scope, ...extra });

/** Admins only. */
export const admin = (
  scope: string | null = null,
  extra: { feature?: string; component?: string; keys?: KeyUse } = {},
): NodeRule => Object.freeze({ kind: "session", role: "admin", scope, ...extra });

/** A program with a WebDAV password of somebody of that role, and nobody else. */
export const dav = (role: Role, component: string): NodeRule => Object.freeze({ kind: "dav", role, component });

/** What the kernel has to know of the node's rules. */
export const nodeRules: RuleKinds<NodeRule> = {
  open: {
    print: ({ orUser, untilSetUp, ownKey }) =>
      `open${orUser ? " or-user" : ""}${untilSetUp ? " until-set-up" : ""}${ownKey ? " own-key" : ""}`,
    schemes: {},
  },
  session: {
    print({ role, scope, whileLocked, whileTemporary, feature, component, keys }) {
      const key = scope === null ? "" : ` scope=${scope}`;
      const exceptions = `${whileLocked ? " while-locked" : ""}${whileTemporary ? " while-temporary" : ""}`;
      const licence = feature === undefined ? "" : ` feature=${feature}`;
      const part = component === undefined ? "" : ` component=${component}`;
      const byKey = keys === undefined ? "" : ` keys=${keys}`;
      return `${role}${key}${exceptions}${licence}${part}${byKey}`;
    },
    schemes: {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      cookie: { type: "apiKey", in: "cookie", name: "access_token" },
      key: { type: "apiKey", in: "header", name: "X-API-Key" },
    },
  },
  dav: {
    print: ({ role, component }) => `dav ${role} component=${component}`,
    schemes: { dav: { type: "http", scheme: "basic" } },
  },
};
