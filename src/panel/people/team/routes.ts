import { Elysia, t } from "elysia";
import { can, signedIn } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { Member, MemberParams, MembersQuery, RoleChanged, RoleInput } from "./contract.ts";
import { changeRole, listTeam } from "./logic.ts";

export const teamRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/team" })
    .use(ctx.guard)
    .get("/members", ({ actor, query }) => listTeam(ctx, actor, query.active_only === "true"), {
      access: signedIn(),
      query: MembersQuery,
      response: t.Array(Member),
    })
    .put("/members/:id/role", ({ actor, ip, params, body }) => changeRole(ctx, actor, ip, params.id, body.role), {
      access: can("users:manage", { ownRole: true }),
      params: MemberParams,
      body: RoleInput,
      response: RoleChanged,
    });
