import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { plainCharacter } from "../../../lib/plain-text.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id, Name } from "../../schemas.ts";
import { Instance, NodeParams } from "../fleet/contract.ts";

const Color = t.String({ pattern: "^#[0-9a-f]{6}$", description: "must be a colour such as #1d4ed8" });

export const Group = t.Object({
  id: t.String(),
  name: t.String(),
  color: NullableText,
  instance_count: t.Integer(),
  online_count: t.Integer(),
  created_at: t.String(),
});
export type Group = Static<typeof Group>;

export const GROUPS_MAX = 500;
export const TAGS_MAX = 50;

export const GroupParams = t.Object({ id: Id });
export const GroupInput = t.Object({ name: Name, color: t.Optional(Nullable(Color)) });
export type GroupInput = Static<typeof GroupInput>;
export const GroupPatch = t.Partial(GroupInput);
export type GroupPatch = Static<typeof GroupPatch>;
export const GroupRemoved = t.Object({ id: t.String(), status: t.Literal("removed") });

/** Null takes the node out of its group. */
export const GroupOfNode = t.Object({ group_id: Nullable(Id) });
export type GroupOfNode = Static<typeof GroupOfNode>;

/** An empty string goes back to what the node tells of itself; `unknown` is what lists call nodes without a region. */
export const RegionInput = t.Object({
  region: t.String({
    maxLength: 64,
    pattern: `^(?!\\s*unknown\\s*$)${plainCharacter()}*$`,
    description: "must be one line of text, and not unknown",
  }),
});
export type RegionInput = Static<typeof RegionInput>;

/** A client workspace of this one, or null for none. */
export const ClientInput = t.Object({ client_id: Nullable(Id) });
export type ClientInput = Static<typeof ClientInput>;

/** A client workspace of this one. */
export const Client = t.Object({ id: t.String(), name: t.String(), instance_count: t.Integer() });
export type Client = Static<typeof Client>;

export const CLIENTS_MAX = 1_000;

export const Tag = t.String({
  minLength: 1,
  maxLength: 64,
  pattern: `^${plainCharacter("[^\\s,]")}+$`,
  description: "must be one word without a comma",
});
export const TagsInput = t.Object({ tags: t.Array(Tag, { maxItems: TAGS_MAX }) });
export type TagsInput = Static<typeof TagsInput>;

type Look = { name: string; color: string | null };

/** What somebody said about a node, and what was said before. */
export interface NodeAssigned extends PanelEvent {
  node_id: string;
  said: Record<string, unknown>;
  previous: Record<string, unknown>;
}

export type FleetGroupEvents = {
  "fleet.group.add": PanelEvent & Look & { group_id: string };
  "fleet.group.change": PanelEvent & Look & { group_id: string; previous: Look };
  "fleet.group.remove": PanelEvent & { group_id: string; name: string };
  "fleet.node.region": NodeAssigned;
  "fleet.node.client": NodeAssigned;
  "fleet.node.group": NodeAssigned;
  "fleet.node.tags": NodeAssigned;
  "fleet.node.mark_offline": NodeAssigned;
};

export const fail = defineErrors({
  group_not_found: [404, "There is no group {id} in this workspace."],
  group_name_taken: [409, "There is a group {name} already. Choose another name."],
  too_many_groups: [409, "A workspace can have at most {limit} groups."],
  node_never_connected: [
    409,
    "{hostname} never connected, so it is not online. Run its enrolment line on the server, or delete it.",
  ],
  client_not_found: [404, "There is no client {id} of this workspace."],
});

const access = can("fleet:write");
const ofGroup = { access, params: GroupParams };
const ofNode = { access, params: NodeParams, out: Instance };

export const fleetGroupRoutes = defineRoutes({
  "GET /api/fleet/groups": { access: can("fleet:read"), out: t.Array(Group) },
  "GET /api/fleet/clients": { access: can("fleet:read"), out: t.Array(Client) },
  "POST /api/fleet/groups": { access, body: GroupInput, out: Group },
  "PATCH /api/fleet/groups/{id}": { ...ofGroup, body: GroupPatch, out: Group },
  "DELETE /api/fleet/groups/{id}": { ...ofGroup, out: GroupRemoved },
  "PUT /api/fleet/instances/{id}/region": { ...ofNode, body: RegionInput },
  "PUT /api/fleet/instances/{id}/client": { ...ofNode, body: ClientInput },
  "PUT /api/fleet/instances/{id}/group": { ...ofNode, body: GroupOfNode },
  "PUT /api/fleet/instances/{id}/tags": { ...ofNode, body: TagsInput },
  /** Ours: says that a node is off, before its silence does; its next heartbeat takes it back. */
  "POST /api/fleet/instances/{id}/mark-offline": ofNode,
});
export type FleetGroupApi = ApiOf<typeof fleetGroupRoutes>;
