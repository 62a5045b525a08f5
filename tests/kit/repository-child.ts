/** Backs up and tidies up in a process of its own, until it is killed; tells what it begins and what is done, a line each. */
import { writeSync } from "node:fs";
import { takeLease } from "../../src/node/backups/engine/lease.ts";
import { openLocalFolder } from "../../src/node/backups/engine/local-folder.ts";
import { prune } from "../../src/node/backups/engine/prune.ts";
import { openRepository } from "../../src/node/backups/engine/repository.ts";
import { listSnapshots } from "../../src/node/backups/engine/snapshot.ts";
import { backUp, seedOf, streamsOf } from "./repository.ts";

const [folder = "", keyText = "", round = "0"] = process.argv.slice(2);
const WEEK_MS = 8 * 86_400_000;
/** So many backups stay, those of earlier processes among them; the repository would grow with every round. */
const STAY = 24;
const target = openLocalFolder(folder);
const key = Buffer.from(keyText, "hex");
/** It is told before anything else happens. */
const tell = (line: string) => void writeSync(1, `${line}\n`);

let now = Number(round) * 1000 * WEEK_MS;
for (let turn = 0; ; turn += 1) {
  now += WEEK_MS;
  const seed = Number(round) * 1000 + turn;
  tell(`storing ${seed}`);
  await backUp(target, key, `bak_${seed}`, streamsOf(seed), now, "node");
  tell(`stored ${seed}`);
  if (turn < 2) continue;
  now += WEEK_MS;
  const lease = await takeLease(target, "node", () => now);
  const listed = (await listSnapshots(target)).sort((left, right) => seedOf(left) - seedOf(right));
  const old = [...listed.slice(0, Math.max(0, listed.length - STAY)), `bak_${seed - 2}`];
  for (const id of old) tell(`removing ${seedOf(id)}`);
  await prune(target, await openRepository(target, key, lease), lease, old, now);
  await lease.release();
  tell(`removed ${seed - 2}`);
}
