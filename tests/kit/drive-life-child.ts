/**
 * Lives of files in a Drive in a process of its own: `bun drive-life-child.ts FOLDER TOLD TURNS`. Each is sent, gets new versions, and
 * some go to the trash and for good, while contents that nobody has are removed. What is begun and what was acknowledged is told in the
 * file TOLD: `sending NAME SEED SIZE`, `sent NAME SEED SIZE`, `trashing NAME`, `trashed NAME`, `removing NAME`, `removed NAME`. What is
 * refused meanwhile is not acknowledged, and its file is left alone from then on.
 */
import { openSync, writeSync } from "node:fs";
import { CHUNK_BYTES } from "../../src/node/storage/drive/contract.ts";
import { openDriveNode, sendInChunks, uploadTo } from "./drive-node.ts";
import { madeBytes } from "./made-bytes.ts";

const [folder = "", told = "/dev/null", turns = "1"] = process.argv.slice(2);
const file = openSync(told, "w");
const tell = (line: string) => void writeSync(file, `${line}\n`);
const node = openDriveNode(folder, 0);
const SIZES = [10, 4_096, 200_000];

/** Whether it was acknowledged. */
const ask = async (route: string): Promise<boolean> => (await node.call(route, { as: "admin" })).status < 300;

async function send(name: string, seed: number, isLarge: boolean): Promise<string | null> {
  const size = isLarge ? CHUNK_BYTES + 1_000 : (SIZES[seed % SIZES.length] ?? 0);
  const bytes = madeBytes(seed, size);
  tell(`sending ${name} ${seed} ${size}`);
  const id = isLarge ? await sendInChunks(node, name, bytes, name) : (await uploadTo(node, name, bytes)).id;
  if (id === undefined) return null;
  tell(`sent ${name} ${seed} ${size}`);
  return id;
}

async function live(worker: number, turn: number): Promise<void> {
  const name = `${worker}-${turn}`;
  const seed = worker * 1_000 + turn * 10;
  const id = await send(name, seed, worker === 0 && turn === 1);
  if (id === null || (await send(name, seed + 1, false)) === null || turn % 3 === 0) return;
  tell(`trashing ${name}`);
  if (!(await ask(`DELETE /api/drive/nodes/${id}`))) return;
  tell(`trashed ${name}`);
  if (turn % 3 === 1) return;
  tell(`removing ${name}`);
  if (await ask(`DELETE /api/drive/trash/${id}`)) tell(`removed ${name}`);
}

async function work(worker: number): Promise<void> {
  for (let turn = 0; turn < Number(turns); turn += 1) {
    await live(worker, turn).catch(() => {});
    if (worker === 0) await node.ctx.jobs.run("drive-purge").catch(() => {});
  }
}

await Promise.all([0, 1, 2].map(work));
process.exit(0);
