/**
 * A panel's live store under load, to be killed: `bun live-child.ts DIR DATABASE_URL ROUND`. Says on stdout what it has
 * acknowledged, a line each: `beat NO VERSION AT` for a heartbeat, `turn NO STATUS` for a change of status.
 */
import { writeSync } from "node:fs";
import { heartbeatBody } from "./agent-panel.ts";
import { openLiveFleet } from "./live-fleet.ts";
import { SEED_TENANT } from "./seed-fleet.ts";

const WORKERS = 24;
const [dir = "", databaseUrl = "", round = "0"] = process.argv.slice(2);
const { live } = await openLiveFleet(dir, databaseUrl);
const say = (line: string) => void writeSync(1, `${line}\n`);
const fleet = live.of(SEED_TENANT);
const nodes = fleet.nodes().map(({ id, no }) => ({ id, no }));
live.onChange(SEED_TENANT, (change) => {
  if (change.kind === "status") say(`turn ${change.transition.no} ${change.transition.to}`);
});
say("ready");

let beats = Number(round) * 1_000_000;
async function work(worker: number): Promise<never> {
  while (true) {
    // Each worker has nodes of its own: a node speaks once at a time.
    const mine = nodes[worker + WORKERS * Math.floor(Math.random() * Math.floor(nodes.length / WORKERS))];
    if (!mine) throw new Error("there is no node");
    const version = String(++beats);
    const isRare = Math.random() < 0.3;
    const known = fleet.get(mine.id)?.version ?? "0";
    const at = Date.now();
    await live.heartbeat(
      {
        ...heartbeatBody(),
        status: Math.random() < 0.02 ? "critical" : "ok",
        hostname: mine.id,
        version: isRare ? version : known,
      },
      { nodeId: mine.id, tenantId: SEED_TENANT, serial: "s" },
    );
    say(`beat ${mine.no} ${isRare ? version : known} ${at}`);
    await Bun.sleep(0);
  }
}
await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
