import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id } from "../../schemas.ts";
import { NodeParams } from "../fleet/contract.ts";

/** What somebody should look at about a node; it stays until somebody says that they know. */
export const NodeNotice = t.Object({
  id: t.String(),
  instance_id: t.String(),
  /**
   * `taken_over`: another machine registered under the name of this node while its certificate still held. `moved`: the same
   * after it had ended. `hardware_changed`: the node itself says that it runs on other hardware.
   */
  kind: t.Union([t.Literal("taken_over"), t.Literal("moved"), t.Literal("hardware_changed")]),
  /** Where it came from the last time; null when nobody knows. */
  address: NullableText,
  first_at: t.String(),
  at: t.String(),
  times: t.Integer(),
});
export type NodeNotice = Static<typeof NodeNotice>;

/** Newest first. `clock_ahead_seconds` is null as long as the node's clock is right, or nothing is known of it. */
export const NodeNotices = t.Object({
  notices: t.Array(NodeNotice),
  clock_ahead_seconds: Nullable(t.Integer()),
});
export type NodeNotices = Static<typeof NodeNotices>;

export const NoticeParams = t.Object({ id: Id });
export const NoticeAcknowledged = t.Object({ id: t.String(), status: t.Literal("acknowledged") });
export type NoticeAcknowledged = Static<typeof NoticeAcknowledged>;

export type NodeNoticeEvents = {
  /** Somebody put a notice of that kind away. */
  "fleet.node.notice": PanelEvent & { node_id: string; notice: string };
};

export const fail = defineErrors({
  notice_not_found: [404, "There is no notice {id} in this workspace, or it has changed since. Look at it again."],
});

export const nodeNoticeRoutes = defineRoutes({
  "GET /api/fleet/instances/{id}/notices": { access: can("fleet:read"), params: NodeParams, out: NodeNotices },
  "POST /api/fleet/notices/{id}/acknowledge": {
    access: can("fleet:write"),
    params: NoticeParams,
    out: NoticeAcknowledged,
  },
});
export type NodeNoticeApi = ApiOf<typeof nodeNoticeRoutes>;
