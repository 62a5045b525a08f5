/** Backs up and tidies up in a process of its own, until it is killed; tells what it begins and what is done, a line each. */

import { takeLease } from "../../src/node/backups/engine/lease.ts";
import { openLocalFolder } from "../../src/node/backups/engine/local-folder.ts";
import { prune } from "../../src/node/backups/engine/prune.ts";
import { openRepository } from "../../src/node/backups/engine/repository.ts";
import { backUp, streamsOf } from "./repository.ts";

const [folder = "", keyText = "", round = "0"] = process.argv.slice(2);
const WEEK_MS = 8 * 86_400_000;
const target = openLocalFolder(folder);
const key = Buffer.from(keyText, "hex");
const tell = (line: string) => void process.stdout.write(`${line}\n`);

let now = Number(round) * 1000 * WEEK_MS;
for (let turn = 0; ; turn += 1) {
  now += WEEK_MS;
  const seed = Number(round) * 1000 + turn;
  tell(`storing ${seed}`);
  await backUp(target, key, `bak_${seed}`, streamsOf(seed), now, "node");
  tell(`stored ${seed}`);
  if (turn < 2) continue;
  now += WEEK_MS;
  tell(`removing ${seed - 2}`);
  const lease = await takeLease(target, "node", () => now);
  await prune(target, await openRepository(target, key, lease), lease, [`bak_${seed - 2}`], now);
  await lease.release();
  tell(`removed ${seed - 2}`);
}
