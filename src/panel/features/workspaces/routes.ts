import { Elysia } from "elysia";
import type { PanelRoutes } from "../../context.ts";
import { signedIn } from "../../permissions.ts";
import { Entered, Left, WorkspaceInput, WorkspaceList, WorkspaceParams } from "./contract.ts";
import { addWorkspace, leaveWorkspace, listWorkspaces, switchWorkspace } from "./logic.ts";

// A suspended workspace must not keep its members from their other ones.
const access = signedIn({ whileSuspended: true });

export const workspaceRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/workspaces" })
    .use(ctx.guard)
    .get("", ({ actor }) => listWorkspaces(ctx, actor), { access, response: WorkspaceList })
    .post("", ({ actor, body }) => addWorkspace(ctx, actor, body), {
      access: signedIn(),
      body: WorkspaceInput,
      response: Entered,
    })
    .post("/:id/switch", ({ actor, params }) => switchWorkspace(ctx, actor, params.id), {
      access,
      params: WorkspaceParams,
      response: Entered,
    })
    .post("/:id/leave", ({ actor, params }) => leaveWorkspace(ctx, actor, params.id), {
      access,
      params: WorkspaceParams,
      response: Left,
    });
