import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id, Name } from "../../schemas.ts";
import { NodeParams, Status } from "../fleet/contract.ts";
import { TAGS_MAX, Tag } from "../fleet-groups/contract.ts";

/** Tokens of a workspace that are still good. */
export const TOKENS_MAX = 500;

export const EnrollTokenInput = t.Optional(
  t.Object({ ttl_minutes: t.Optional(t.Integer({ minimum: 1, maximum: 1_440 })) }),
);

/** What lets one server in, and the line that does it there. */
export const EnrollToken = t.Object({
  id: t.String(),
  token: t.String(),
  created_at: t.String(),
  expires_at: t.String(),
  /** Address of this panel. */
  cc_url: t.String(),
  command: t.String(),
  /** The line for a server without Orrery; null when the panel does not know where releases lie. */
  install_command: NullableText,
});
export type EnrollToken = Static<typeof EnrollToken>;

export const FleetTokenInput = t.Object({
  name: Name,
  expires_in_hours: t.Optional(t.Integer({ minimum: 1, maximum: 8_760 })),
  /** How many servers may use it; one unless told otherwise. */
  max_uses: t.Optional(t.Integer({ minimum: 1, maximum: 10_000 })),
  /** What the servers that use it begin with. */
  group_id: t.Optional(Id),
  tags: t.Optional(t.Array(Tag, { maxItems: TAGS_MAX })),
});
export type FleetTokenInput = Static<typeof FleetTokenInput>;

export const FleetToken = t.Object({
  token: t.String(),
  name: t.String(),
  expires_at: t.String(),
  /** The lines that use it, as above. */
  command: t.String(),
  install_command: NullableText,
});
export type FleetToken = Static<typeof FleetToken>;

/** A token as it is remembered; the token itself is shown once. */
export const TokenEntry = t.Object({
  id: t.String(),
  name: t.String(),
  uses: t.Integer(),
  max_uses: t.Integer(),
  group_id: NullableText,
  tags: t.Array(t.String()),
  created_at: t.String(),
  expires_at: t.String(),
});
export type TokenEntry = Static<typeof TokenEntry>;
export const TokenList = t.Object({ tokens: t.Array(TokenEntry) });

/** A server that tried to come in a short while ago and was not let in. */
export const TurnedAway = t.Object({
  at: t.String(),
  hostname: t.String(),
  address: t.String(),
  code: t.String(),
  message: t.String(),
  /** The token it came with. */
  token: t.String(),
});
export type TurnedAway = Static<typeof TurnedAway>;

/** What there is room for, and who found none; refusals of the last hour, the newest first. */
export const Enrolment = t.Object({
  plan: t.String(),
  /** The limit is null on a plan without one. */
  nodes: t.Object({ used: t.Integer(), limit: Nullable(t.Integer()) }),
  refused: t.Array(TurnedAway),
});
export type Enrolment = Static<typeof Enrolment>;

export const TokenParams = t.Object({ id: Id });
export const TokenRevoked = t.Object({ id: t.String(), status: t.Literal("revoked") });
export const NodeDeleted = t.Object({ id: t.String(), status: t.Literal("deleted") });

export const FirstHeartbeatQuery = t.Object({
  /** Heartbeats before this moment do not count. */
  since: t.Optional(t.String({ maxLength: 40 })),
  /** Seconds; more than the longest wait means the longest. */
  timeout: t.Optional(t.Integer({ minimum: 0, maximum: 86_400 })),
  stream: t.Optional(t.Union([t.Literal("1"), t.Literal("0")])),
});
export type FirstHeartbeatQuery = Static<typeof FirstHeartbeatQuery>;

const NewNode = t.Object({
  id: t.String(),
  hostname: t.String(),
  status: Status,
  version: t.String(),
  last_heartbeat: t.String(),
  created_at: t.String(),
});
export type NewNode = Static<typeof NewNode>;
export const FirstHeartbeat = t.Object({ connected: t.Boolean(), instance: Nullable(NewNode) });
export type FirstHeartbeat = Static<typeof FirstHeartbeat>;

export type OnboardingEvents = {
  "fleet.token.create": PanelEvent & { token_id: string; name: string; max_uses: number; expires_at: string };
  "fleet.token.revoke": PanelEvent & { token_id: string; name: string };
  "fleet.instance.delete": PanelEvent & { node_id: string; hostname: string };
};

export const fail = defineErrors({
  token_not_found: [404, "There is no registration token {id} in this workspace, or it has expired."],
  token_group_unknown: [404, "There is no group {id} in this workspace that the servers could join."],
  too_many_tokens: [409, "There are {limit} registration tokens that are still good. Revoke some of them first."],
  too_many_waiting: [
    429,
    "{limit} callers of this workspace wait for a new server already. Close some of those pages and try again.",
  ],
});

export const onboardingRoutes = defineRoutes({
  "POST /api/onboarding/enroll-token": { access: can("fleet:write"), body: EnrollTokenInput, out: EnrollToken },
  "GET /api/onboarding/enrolment": { access: can("fleet:write"), out: Enrolment },
  "GET /api/onboarding/first-heartbeat": {
    access: can("fleet:read"),
    query: FirstHeartbeatQuery,
    out: FirstHeartbeat,
  },
  "GET /api/fleet/tokens": { access: can("fleet:write"), out: TokenList },
  "POST /api/fleet/tokens": { access: can("fleet:write"), body: FleetTokenInput, out: FleetToken },
  "DELETE /api/fleet/tokens/{id}": { access: can("fleet:write"), params: TokenParams, out: TokenRevoked },
  "DELETE /api/fleet/instances/{id}": { access: can("fleet:write"), params: NodeParams, out: NodeDeleted },
});
export type OnboardingApi = ApiOf<typeof onboardingRoutes>;
