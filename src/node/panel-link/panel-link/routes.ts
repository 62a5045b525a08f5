import { Elysia } from "elysia";
import { admin } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { connectPanel } from "./connect.ts";
import { readConnectLine } from "./connect-line.ts";
import { ConnectInput, PanelStatus } from "./contract.ts";
import { disconnectPanel } from "./disconnect.ts";

export const panelLinkRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/cp" })
    .use(ctx.guard)
    .get("/status", () => ctx.panelLink.status(), { access: admin("settings"), response: PanelStatus })
    .post(
      "/connect",
      async ({ body, actor, ip }) => {
        await connectPanel(ctx, readConnectLine(body.line), { by: actor.user_id, ip });
        ctx.panelLink.say("beat");
        return ctx.panelLink.status();
      },
      { access: admin("settings"), body: ConnectInput, response: PanelStatus },
    )
    .post(
      "/heartbeat",
      () => {
        ctx.panelLink.say("beat");
        return ctx.panelLink.status();
      },
      { access: admin("settings"), response: PanelStatus },
    )
    .post(
      "/disconnect",
      ({ actor, ip }) => {
        disconnectPanel(ctx, { by: actor.user_id, ip });
        ctx.panelLink.say("beat");
        return ctx.panelLink.status();
      },
      { access: admin("settings"), response: PanelStatus },
    );
