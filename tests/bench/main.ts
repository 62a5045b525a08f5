/** `npm run bench [-- MEASURE…]`: the budgets of speed and size, measured on the compiled node. Exit code 1 when one is missed. */

import { cpus, loadavg } from "node:os";
import { alertProofs } from "./alert-proofs.ts";
import { anomalies } from "./anomalies.ts";
import { appLists } from "./app-lists.ts";
import { authCost } from "./auth-cost.ts";
import { backup } from "./backup.ts";
import type { Measure } from "./bench.ts";
import { busyMemory } from "./busy-memory.ts";
import { dav } from "./dav.ts";
import { engineLoad } from "./engine-load.ts";
import { firstLoad } from "./first-load.ts";
import { idleCpu } from "./idle-cpu.ts";
import { idleMemory } from "./idle-memory.ts";
import { listRate } from "./list-rate.ts";
import { liveCost } from "./live-cost.ts";
import { logSearch } from "./log-search.ts";
import { loginStorm } from "./login-storm.ts";
import { objects } from "./objects.ts";
import { panelFleet } from "./panel-fleet.ts";
import { panelHeartbeats, panelHeartbeatsPostgres } from "./panel-heartbeats.ts";
import { panelJobs } from "./panel-jobs.ts";
import { panelPeople } from "./panel-people.ts";
import { panelRollouts } from "./panel-rollouts.ts";
import { panelScroll } from "./panel-scroll.ts";
import { panelStorm } from "./panel-storm.ts";
import { panelStreams } from "./panel-streams.ts";
import { buildBare, buildNode } from "./programs.ts";
import { ranges } from "./ranges.ts";
import { reboots } from "./reboots.ts";
import { sampleCost } from "./sample-cost.ts";
import { seedFolder } from "./seed.ts";
import { startTime } from "./start-time.ts";
import { type Figure, formatTable, passes } from "./table.ts";
import { timeline } from "./timeline.ts";
import { timing } from "./timing.ts";
import { updates } from "./updates/updates.ts";
import { webhookRate } from "./webhooks.ts";
import { year } from "./year.ts";

const APPS = 30;
const measures: readonly Measure[] = [
  startTime,
  idleMemory,
  busyMemory,
  idleCpu,
  listRate,
  appLists,
  liveCost,
  firstLoad,
  authCost,
  loginStorm,
  timing,
  anomalies,
  sampleCost,
  ranges,
  year,
  timeline,
  logSearch,
  webhookRate,
  objects,
  backup,
  dav,
  alertProofs,
  panelScroll,
  panelHeartbeats,
  panelHeartbeatsPostgres,
  panelFleet,
  panelPeople,
  panelRollouts,
  panelJobs,
  panelStreams,
  panelStorm,
  updates,
  reboots,
  engineLoad,
];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !measures.some((measure) => measure.name === name));
if (unknown.length > 0) {
  const names = measures.map(({ name }) => name).join(" ");
  say(
    `There is no measure ${unknown.join(", ")}. Usage: npm run bench [-- MEASURE…] with ${names}; all without a name.`,
  );
  process.exit(2);
}

const [busy = 0] = loadavg();
if (busy > cpus().length)
  say(`This machine is busy (load ${busy.toFixed(1)} on ${cpus().length} cores): times will be too long.`);
await buildNode();
await buildBare();
const folder = await seedFolder(APPS);
const figures: Figure[] = [];
try {
  for (const measure of measures) {
    if (wanted.length > 0 && !wanted.includes(measure.name)) continue;
    say(`Measuring ${measure.name} …`);
    figures.push(...(await measure.run({ folder, say })));
  }
} finally {
  folder.remove();
}
say(`\n${formatTable(figures)}\n`);
const missed = figures.filter((figure) => !passes(figure));
say(missed.length === 0 ? "Every limit holds." : `Missed: ${missed.map(({ measure }) => measure).join("; ")}.`);
process.exit(missed.length === 0 ? 0 : 1);
