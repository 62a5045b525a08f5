import { Elysia } from "elysia";
import { signedIn } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { leaveToken } from "../sessions/index.ts";
import { Entered, Left, WorkspaceInput, WorkspaceList, WorkspaceParams } from "./contract.ts";
import { addWorkspace, leaveWorkspace, listWorkspaces, switchWorkspace } from "./logic.ts";

// A suspended workspace must not keep its members from their other ones.
const access = signedIn({ whileSuspended: true });

export const workspaceRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/workspaces" })
    .use(ctx.guard)
    .get("", ({ actor }) => listWorkspaces(ctx, actor), { access, response: WorkspaceList })
    .post(
      "",
      async ({ actor, ip, body, isHttps, set }) =>
        leaveToken(set.headers, isHttps, await addWorkspace(ctx, actor, ip, body)),
      {
        access: signedIn(),
        body: WorkspaceInput,
        response: Entered,
      },
    )
    .post(
      "/:id/switch",
      async ({ actor, ip, params, isHttps, set }) =>
        leaveToken(set.headers, isHttps, await switchWorkspace(ctx, actor, ip, params.id)),
      {
        access,
        params: WorkspaceParams,
        response: Entered,
      },
    )
    .post(
      "/:id/leave",
      async ({ actor, ip, params, isHttps, set }) =>
        leaveToken(set.headers, isHttps, await leaveWorkspace(ctx, actor, ip, params.id)),
      {
        access,
        params: WorkspaceParams,
        response: Left,
      },
    );
