import type { NodeContext } from "../../src/node/context.ts";
import type { Own } from "../../src/node/panel-link/panel-link/needs.ts";

/** What the panel link of a test node works with, to do by hand what it does once it is started; both share what they know. */
export function linkOwn(ctx: NodeContext): Own {
  return {
    ...ctx,
    standing: ctx.panelLink,
    releaseNotes: { fetchNow: () => Promise.resolve() },
    alerts: { countOpen: () => ctx.openAlerts() },
  };
}
