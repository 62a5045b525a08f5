/**
 * A Drive under load in a process of its own, to be killed: `bun drive-child.ts FOLDER ROUND`. Says on stdout what it begins and what
 * was acknowledged: `sending NAME SEED SIZE`, `sent NAME SEED SIZE`.
 */
import { writeSync } from "node:fs";
import { CHUNK_BYTES } from "../../src/node/storage/drive/contract.ts";
import { openDriveNode, sendInChunks, uploadTo } from "./drive-node.ts";
import { madeBytes } from "./made-bytes.ts";

const [folder = "", round = "0"] = process.argv.slice(2);
const node = openDriveNode(folder, Number(round));
const tell = (line: string) => void writeSync(1, `${line}\n`);
const SIZES = [10, 4_096, 200_000];

async function work(worker: number): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const name = `${worker}-${turn % 3}`;
    const seed = Number(round) * 1_000_000 + worker * 10_000 + turn;
    const isLarge = worker === 0 && turn % 4 === 0;
    const size = isLarge ? CHUNK_BYTES + 1_000 : (SIZES[turn % SIZES.length] ?? 0);
    const bytes = madeBytes(seed, size);
    tell(`sending ${name} ${seed} ${size}`);
    const id = isLarge ? await sendInChunks(node, name, bytes, round) : (await uploadTo(node, name, bytes)).id;
    if (id === undefined) throw new Error(`${name} was refused`);
    tell(`sent ${name} ${seed} ${size}`);
  }
}

await Promise.all([0, 1, 2, 3].map(work));
