import { Elysia, t } from "elysia";
import { can } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { Instance, NodeParams } from "../fleet/index.ts";
import { setClient, setGroup, setRegion, setTags } from "./assign.ts";
import { listFleetClients } from "./clients.ts";
import {
  Client,
  ClientInput,
  Group,
  GroupInput,
  GroupOfNode,
  GroupParams,
  GroupPatch,
  GroupRemoved,
  RegionInput,
  TagsInput,
} from "./contract.ts";
import { addGroup, changeGroup, listAllGroups, removeGroup } from "./groups.ts";

const access = can("fleet:write");
const ofGroup = { access, params: GroupParams };
const ofNode = { access, params: NodeParams, response: Instance };

export const fleetGroupRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/fleet" })
    .use(ctx.guard)
    .get("/groups", ({ actor }) => listAllGroups(ctx, actor), { access: can("fleet:read"), response: t.Array(Group) })
    .get("/clients", ({ actor }) => listFleetClients(ctx, actor), {
      access: can("fleet:read"),
      response: t.Array(Client),
    })
    .post("/groups", ({ actor, ip, body }) => addGroup(ctx, actor, ip, body), {
      access,
      body: GroupInput,
      response: Group,
    })
    .patch("/groups/:id", ({ actor, ip, params, body }) => changeGroup(ctx, actor, ip, params.id, body), {
      ...ofGroup,
      body: GroupPatch,
      response: Group,
    })
    .delete("/groups/:id", ({ actor, ip, params }) => removeGroup(ctx, actor, ip, params.id), {
      ...ofGroup,
      response: GroupRemoved,
    })
    .put("/instances/:id/region", ({ actor, ip, params, body }) => setRegion(ctx, actor, ip, params.id, body.region), {
      ...ofNode,
      body: RegionInput,
    })
    .put(
      "/instances/:id/client",
      ({ actor, ip, params, body }) => setClient(ctx, actor, ip, params.id, body.client_id),
      { ...ofNode, body: ClientInput },
    )
    .put("/instances/:id/group", ({ actor, ip, params, body }) => setGroup(ctx, actor, ip, params.id, body.group_id), {
      ...ofNode,
      body: GroupOfNode,
    })
    .put("/instances/:id/tags", ({ actor, ip, params, body }) => setTags(ctx, actor, ip, params.id, body.tags), {
      ...ofNode,
      body: TagsInput,
    });
