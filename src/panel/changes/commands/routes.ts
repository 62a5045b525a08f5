import { Elysia } from "elysia";
import { can } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { Command, CommandInput, CommandList, CommandParams, CommandsQuery, CommandsSent } from "./contract.ts";
import { cancelSent, getSent, listSent, sendCommand } from "./send.ts";

export const commandRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/fleet/commands" })
    .use(ctx.guard)
    .post("", ({ actor, ip, body }) => sendCommand(ctx, actor, ip, body), {
      access: can("fleet:write"),
      body: CommandInput,
      response: CommandsSent,
    })
    .get("", async ({ actor, query }) => ({ commands: await listSent(actor, query) }), {
      access: can("fleet:write"),
      query: CommandsQuery,
      response: CommandList,
    })
    .get("/:id", ({ actor, params }) => getSent(actor, params.id), {
      access: can("fleet:write"),
      params: CommandParams,
      response: Command,
    })
    .post("/:id/cancel", ({ actor, ip, params }) => cancelSent(ctx, actor, ip, params.id), {
      access: can("fleet:write"),
      params: CommandParams,
      response: Command,
    });
