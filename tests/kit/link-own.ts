import { createCommandPace } from "../../src/node/panel-link/panel-link/commands/accept.ts";
import { putLink } from "../../src/node/panel-link/panel-link/link-store.ts";
import type { Own } from "../../src/node/panel-link/panel-link/needs.ts";
import { createAsks } from "../../src/node/panel-link/panel-link/streams/asks.ts";
import type { WiredNode } from "../../src/node/wire.ts";

/** What the panel link of a test node works with, to do by hand what it does once it is started; both share what they know. */
export function linkOwn(ctx: WiredNode): Own {
  return {
    ...ctx,
    series: ctx.metrics.series,
    standing: ctx.panelLink,
    commandPace: createCommandPace(ctx.clock),
    asks: createAsks(ctx.clock),
    tellPeopleEnded: (event) => ctx.bus.emit("panel.people_ended", event),
    releaseNotes: { fetchNow: () => Promise.resolve() },
    alerts: ctx.alerting,
  };
}

/** Writes down that a test node belongs to a panel that nobody can reach. */
export function belongToPanel({ db, clock }: Pick<WiredNode, "db" | "clock">, membership: string): void {
  const texts = { instance_id: "node", agent_url: "", ca_bundle: "", credentials: "", secret: "", license_token: "" };
  const change = { changed_by: "host", changed_from: "", changed_at: clock.now(), announced: 1 };
  const times = { certificate_end: 0, renew_at: 0, last_heartbeat_at: null };
  const whose = { revision: membership, tenant_id: membership, membership, root: null, panel_url: null };
  db.tx(() => putLink(db, { ...texts, ...change, ...times, ...whose, ended: null, ended_reason: null }));
}
