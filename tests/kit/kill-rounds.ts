import { join } from "node:path";
import type { SystemDb } from "../../src/panel/data/tenant-db.ts";
import { openLiveFleet } from "./live-fleet.ts";
import { SEED_TENANT } from "./seed-fleet.ts";

/** What was found after one kill. */
export interface KillRound {
  /** Heartbeats and changes of status that had been acknowledged. */
  beats: number;
  turns: number;
  /** Commands that nodes had been told. */
  commands: number;
  /** What should be there and is not. */
  lost: string[];
  /** The age of the oldest sample that was lost, counted from the kill, milliseconds; 0 when none was. */
  samplesLostMs: number;
}

interface Told {
  versions: Map<number, number>;
  turns: { no: number; status: string }[];
  beats: { no: number; at: number; figure: number; heard: number }[];
  /** Ids of commands. */
  told: string[];
  done: string[];
}

function parse(output: string): Told {
  const told: Told = { versions: new Map(), turns: [], beats: [], told: [], done: [] };
  // The last line may be cut.
  for (const line of output.slice(0, output.lastIndexOf("\n")).split("\n")) {
    const [kind, no, what = "", at, figure, heard] = line.split(" ");
    if (kind === "turn") told.turns.push({ no: Number(no), status: what });
    if (kind === "told" || kind === "done") told[kind].push(no ?? "");
    if (kind !== "beat") continue;
    told.versions.set(Number(no), Math.max(told.versions.get(Number(no)) ?? 0, Number(what) || 0));
    told.beats.push({ no: Number(no), at: Number(at), figure: Number(figure), heard: Number(heard) });
  }
  return told;
}

/** Runs the live store in a process of its own, kills it after `afterMs` of load, and looks at what it left. */
export async function killOnce(
  dataDir: string,
  databaseUrl: string,
  round: number,
  afterMs: number,
): Promise<KillRound> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "live-child.ts"), dataDir, databaseUrl, `${round}`],
    {
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const complaints = new Response(child.stderr).text();
  let output = "";
  let killedAt = 0;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    const isFirst = !output.includes("ready\n");
    output += decoder.decode(chunk, { stream: true });
    if (!isFirst || !output.includes("ready\n")) continue;
    void Bun.sleep(afterMs).then(() => {
      killedAt = Date.now();
      child.kill("SIGKILL");
    });
  }
  await child.exited;
  if (killedAt === 0) throw new Error(`the child ended by itself: ${await complaints}`);
  return compare(parse(output), killedAt, dataDir, databaseUrl);
}

async function compare(told: Told, killedAt: number, dataDir: string, databaseUrl: string): Promise<KillRound> {
  const fleet = await openLiveFleet(dataDir, databaseUrl);
  const lost: string[] = [];
  const nodes = fleet.live.of(SEED_TENANT);
  for (const { id, no, version } of nodes.nodes()) {
    if (Number(version) < (told.versions.get(no) ?? 0)) lost.push(`${id} told version ${told.versions.get(no)}`);
    const { status, reasons } = nodes.verdict(no);
    // One that came after it may be there, too, and was not answered.
    const last = told.beats.findLast((beat) => beat.no === no);
    const { cpu, critical, last_seen } = nodes.figures(no);
    const isLast = cpu === (last?.figure ?? 0) / 1_000 && critical === ((last?.figure ?? 0) % 5 === 0);
    if (last && !isLast && last_seen < last.heard) lost.push(`${id} told ${last.figure}, and shows ${cpu}`);
    // Whoever was there when the panel was killed is so when it is back.
    if (status === "offline" || reasons.includes("heartbeat_late")) lost.push(`${id} is ${status} without a reason`);
  }
  lost.push(...(await lostCommands(fleet.system, told)));
  const recorded = await fleet.system.all<{ node_id: string; to_status: string }>(
    "SELECT node_id, to_status FROM node_transitions WHERE tenant_id = ?",
    [SEED_TENANT],
  );
  const found = new Set(recorded.map(({ node_id, to_status }) => `${node_id} ${to_status}`));
  for (const { no, status } of told.turns)
    if (!found.has(`swarm-${no} ${status}`)) lost.push(`swarm-${no} became ${status}`);
  if (recorded.some(({ to_status }) => to_status === "offline")) lost.push("a node was called offline");
  let oldest = killedAt;
  for (const [no, beats] of Map.groupBy(told.beats, ({ no }) => no)) {
    const written = (await fleet.samples.range(no, 0, killedAt + 1)).map(({ t }) => t);
    const newest = Math.max(0, ...written);
    for (const { at } of beats) if (at > newest) oldest = Math.min(oldest, at);
  }
  await fleet.close();
  const counts = { beats: told.beats.length, turns: told.turns.length, commands: told.told.length };
  return { ...counts, lost, samplesLostMs: killedAt - oldest };
}

/** Commands that nodes know of, and the panel calls something earlier. */
async function lostCommands(system: SystemDb, { told, done }: Told): Promise<string[]> {
  const rows = await system.all<{ id: string; status: string }>("SELECT id, status FROM commands WHERE tenant_id = ?", [
    SEED_TENANT,
  ]);
  const status = new Map(rows.map((row) => [row.id, row.status]));
  return [
    ...told
      .filter((id) => !["sent", "succeeded"].includes(status.get(id) ?? ""))
      .map((id) => `${id} was told, and is ${status.get(id)}`),
    ...done.filter((id) => status.get(id) !== "succeeded").map((id) => `${id} was done, and is ${status.get(id)}`),
  ];
}
