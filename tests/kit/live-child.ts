/**
 * A panel's live store under load, to be killed: `bun live-child.ts DIR DATABASE_URL ROUND`. Says on stdout what it has
 * acknowledged, a line each: `beat NO VERSION AT FIGURE HEARD` for a heartbeat
 * with a figure that no other has, `HEARD` being when it was answered, `turn NO STATUS` for a change of status, `told ID` for a
 * command that a node got, `done ID` for one whose end was taken.
 */
import { writeSync } from "node:fs";
import { heartbeatBody } from "./agent-panel.ts";
import { openLiveFleet } from "./live-fleet.ts";
import { SEED_TENANT } from "./seed-fleet.ts";

const WORKERS = 24;
const [dir = "", databaseUrl = "", round = "0"] = process.argv.slice(2);
const { live, commands, system, ids } = await openLiveFleet(dir, databaseUrl);
const say = (line: string) => void writeSync(1, `${line}\n`);
const fleet = live.of(SEED_TENANT);
const nodes = fleet.nodes().map(({ id, no }) => ({ id, no }));
live.onChange(SEED_TENANT, (change) => {
  if (change.kind === "status") say(`turn ${change.transition.no} ${change.transition.to}`);
});

/** Has a node do something, as a person would. */
async function send(nodeId: string): Promise<void> {
  const command = { tenant_id: SEED_TENANT, id: ids.next("cmd"), node_id: nodeId, type: "inventory.refresh" };
  const row = { ...command, payload: "{}", generation: 1, status: "queued" as const };
  await system.run(
    `INSERT INTO commands (tenant_id, id, node_id, type, payload, generation, status, created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'mem', ?, ?)`,
    [...Object.values(row), Date.now(), Date.now() + 3_600_000],
  );
  commands.add([row]);
}

say("ready");

/** What a node was told to do and has not said the end of. */
const doing = new Map<string, string[]>();
let beats = Number(round) * 1_000_000;
async function work(worker: number): Promise<never> {
  while (true) {
    // Each worker has nodes of its own: a node speaks once at a time.
    const mine = nodes[worker + WORKERS * Math.floor(Math.random() * Math.floor(nodes.length / WORKERS))];
    if (!mine) throw new Error("there is no node");
    const version = String(++beats);
    const isRare = Math.random() < 0.3;
    const known = fleet.get(mine.id)?.version ?? "0";
    if (Math.random() < 0.05) await send(mine.id);
    const done = Math.random() < 0.5 ? (doing.get(mine.id) ?? []) : [];
    const at = Date.now();
    const figure = beats % 90_000;
    const isCritical = figure % 5 === 0;
    const answer = await live.heartbeat(
      {
        ...heartbeatBody(),
        status: isCritical ? "critical" : "ok",
        metrics: { ...heartbeatBody().metrics, cpu_percent: figure / 1_000 },
        hostname: mine.id,
        version: isRare ? version : known,
        results: done.map((id) => ({ id, status: "succeeded" })),
      },
      { nodeId: mine.id, tenantId: SEED_TENANT, serial: "s" },
    );
    for (const { id } of answer.commands) say(`told ${id}`);
    for (const id of done) say(`done ${id}`);
    doing.set(
      mine.id,
      answer.commands.map(({ id }) => id),
    );
    say(`beat ${mine.no} ${isRare ? version : known} ${at} ${figure} ${Date.now()}`);
    await Bun.sleep(0);
  }
}
await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
