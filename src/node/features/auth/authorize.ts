import type { Authorize, Role, Rule } from "../../../kernel/http/access.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import type { Actor } from "../../actor.ts";
import type { NodeContext } from "../../context.ts";
import { findSession } from "../sessions/index.ts";
import { findUser } from "../users/index.ts";
import { assertNotForeign, assertSameOrigin, readAccessToken } from "./credentials.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "config" | "tokens">;

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

/** What an open route sees instead of a user. */
const NOBODY: Actor = Object.freeze({ user_id: "", username: "", role: "viewer", session_id: null, locked: false });

/** The guard's decision: credentials 401, locked 423, role 403, rate 429, in this order. */
export function createAuthorize({ db, clock, config, tokens }: Deps): Authorize<Actor> {
  const anonymous = createBucketLimiter(clock, config.anonymous_rate, config.anonymous_rate * 2);
  const signedIn = createBucketLimiter(clock, config.session_rate, config.session_rate * 2);

  function limit(limiter: typeof anonymous, key: string): void {
    const wait = limiter.take(key);
    if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
  }

  async function identify(request: Request): Promise<Actor | null> {
    const credential = readAccessToken(request);
    const claims = credential && (await tokens.verify(credential.token));
    if (!credential || !claims) return null;
    const user = findUser(db, claims.user_id);
    if (!user || user.disabled_at !== null) return null;
    if (credential.fromCookie) assertSameOrigin(request, config.allowed_origins);
    const session = claims.session_id === null ? null : findSession(db, claims.session_id);
    return {
      user_id: user.id,
      username: user.username,
      role: user.role,
      session_id: claims.session_id,
      locked: session !== null && session.locked_at !== null,
    };
  }

  return async ({ request, ip }, rule: Rule) => {
    if (rule.kind === "open") {
      limit(anonymous, networkOf(ip));
      assertNotForeign(request, config.allowed_origins);
      return NOBODY;
    }
    const actor = await identify(request);
    if (!actor) {
      limit(anonymous, networkOf(ip));
      throw kernelFail("unauthorized");
    }
    if (actor.locked && !rule.whileLocked) throw kernelFail("locked");
    if (RANK[actor.role] < RANK[rule.role]) throw kernelFail("forbidden", { role: rule.role });
    limit(signedIn, actor.session_id ?? actor.user_id);
    return actor;
  };
}
