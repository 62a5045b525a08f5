import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { beginRollout, canaryInput, previewRollout } from "./begin.ts";
import { changeRollout } from "./change.ts";
import { rolloutRoutes } from "./contract.ts";
import type { Follow } from "./follow.ts";
import type { Needs } from "./needs.ts";
import { getRollout, listAll } from "./present.ts";

interface Asked {
  actor: Actor;
  ip: string;
  params: { id: string };
  body: { reason?: string } | null;
}

/** What answers the routes of rollouts. */
export function bindRolloutRoutes(own: Needs & { follow: Follow }): BoundRoutes {
  const change =
    (kind: "promote" | "resume" | "pause" | "rollback") =>
    ({ actor, ip, params, body }: Asked) =>
      changeRollout(own, actor, ip, { id: params.id, kind, reason: body?.reason ?? null });
  return bindRoutes(rolloutRoutes, {
    "GET /api/fleet/rollouts": ({ actor, query }) => listAll(own, actor, query),
    "POST /api/fleet/rollouts": async ({ actor, ip, body }) =>
      getRollout(own, actor, await beginRollout(own, actor, ip, body), false),
    "POST /api/fleet/rollouts/preview": ({ actor, body }) => previewRollout(own, actor, body),
    "GET /api/fleet/rollouts/{id}": ({ actor, params, query }) =>
      getRollout(own, actor, params.id, query.nodes === "true"),
    "POST /api/fleet/rollouts/{id}/promote": change("promote"),
    "POST /api/fleet/rollouts/{id}/resume": change("resume"),
    "POST /api/fleet/rollouts/{id}/pause": change("pause"),
    "POST /api/fleet/rollouts/{id}/rollback": change("rollback"),
    "POST /api/fleet/canary": async ({ actor, ip, body }) =>
      getRollout(own, actor, await beginRollout(own, actor, ip, canaryInput(body), true), false),
  });
}
