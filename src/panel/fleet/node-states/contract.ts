import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { can } from "../../access.ts";
import { NodeParams } from "../fleet/contract.ts";

const LIMIT_MAX = 200;

export const StatesQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: LIMIT_MAX, default: 50 }),
  /** Only changes before this moment, in milliseconds: the `next` of the page before. */
  before: t.Optional(t.Integer({ minimum: 0 })),
});
export type StatesQuery = Static<typeof StatesQuery>;

/** One change of a node's status. */
export const StateChange = t.Object({
  at: t.String(),
  from: t.String(),
  to: t.String(),
  /** Why it is not well since then, in the words of `degraded_reasons`. */
  reasons: t.Array(t.String()),
});
export type StateChange = Static<typeof StateChange>;

/** Newest first; changes are kept for 100 days. `next` is null on the last page. */
export const StateHistory = t.Object({ changes: t.Array(StateChange), next: t.Union([t.Integer(), t.Null()]) });
export type StateHistory = Static<typeof StateHistory>;

export const nodeStateRoutes = defineRoutes({
  "GET /api/fleet/instances/{id}/states": {
    access: can("fleet:read"),
    params: NodeParams,
    query: StatesQuery,
    out: StateHistory,
  },
});
export type NodeStateApi = ApiOf<typeof nodeStateRoutes>;
