import type { NodeContext } from "../../src/node/context.ts";
import type { Own } from "../../src/node/panel-link/panel-link/needs.ts";
import { nodeName, readNodeId } from "../../src/node/platform/identity/index.ts";

/** What the panel link of a test node works with, to do by hand what it does once it is started; both share what they know. */
export function linkOwn(ctx: NodeContext): Own {
  return {
    ...ctx,
    standing: ctx.panelLink,
    identity: { id: () => readNodeId(ctx), name: () => nodeName(ctx) },
    alerts: ctx.monitoring.alerting,
  };
}
