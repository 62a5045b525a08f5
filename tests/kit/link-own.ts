import type { NodeContext } from "../../src/node/context.ts";
import { nodeName, readNodeId } from "../../src/node/monitoring/system/index.ts";
import type { Own } from "../../src/node/panel-link/panel-link/needs.ts";

/** What the panel link of a test node works with, to do by hand what it does once it is started; both share what they know. */
export function linkOwn(ctx: NodeContext): Own {
  return {
    ...ctx,
    standing: ctx.panelLink,
    identity: { id: () => readNodeId(ctx), name: () => nodeName(ctx) },
    alerts: { countOpen: () => ctx.openAlerts() },
  };
}
