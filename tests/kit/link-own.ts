import { createCommandPace } from "../../src/node/panel-link/panel-link/commands/accept.ts";
import type { Own } from "../../src/node/panel-link/panel-link/needs.ts";
import type { WiredNode } from "../../src/node/wire.ts";

/** What the panel link of a test node works with, to do by hand what it does once it is started; both share what they know. */
export function linkOwn(ctx: WiredNode): Own {
  return {
    ...ctx,
    series: ctx.metrics.series,
    standing: ctx.panelLink,
    commandPace: createCommandPace(ctx.clock),
    releaseNotes: { fetchNow: () => Promise.resolve() },
    alerts: ctx.alerting,
  };
}
