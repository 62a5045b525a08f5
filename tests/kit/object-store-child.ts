/**
 * A store under load in a process of its own, which tells each change once it is acknowledged: `put NAME SEED SIZE`, `gone NAME`. What it
 * tells is in a file, which a kill takes nothing of, and on its output, which it may. With a number of turns it ends by itself, and what
 * is refused meanwhile is not acknowledged.
 */
import { openSync, writeSync } from "node:fs";
import { createLog } from "../../src/kernel/log.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { createObjectStore } from "../../src/node/storage/object-store/index.ts";
import { madeBytes } from "./made-bytes.ts";
import { storeSeal } from "./store-seal.ts";

const [folder = "", round = "0", sealing = "off", told = "/dev/null", turns = ""] = process.argv.slice(2);
const most = turns === "" ? Number.POSITIVE_INFINITY : Number(turns);
let isOver = false;
const ids = createIds(systemClock.now);
const log = createLog(systemClock, "error", (line) => process.stderr.write(`${line}\n`));
const signal = new AbortController().signal;
const store = createObjectStore({
  config: { data_dir: folder },
  host: { ownSpace: async () => null },
  clock: systemClock,
  ids,
  log,
  signal,
  seal: storeSeal,
} as never);
const text = new TextEncoder();
const file = openSync(told, "w");
function tell(line: string): void {
  writeSync(file, `${line}\n`);
  if (turns === "") process.stdout.write(".\n");
}

await store.change({ kind: "makeBucket", id: "b", name: "bucket", visibility: "private", at: 1 });
const sizes = [10, 4_096, 200_000];

/** Stores an object in one piece, or what is put together of parts, of which one came twice. */
async function put(name: string, seed: number, size: number, inParts: boolean): Promise<void> {
  const receive = async (bytes: Uint8Array) => {
    const incoming = await store.receive();
    await incoming.add(bytes);
    return await incoming.finish();
  };
  const object = { bucketId: "b", key: text.encode(name), etag: `${seed}`, facts: "{}", at: 1, when: {} };
  if (!inParts) {
    await store.change({ kind: "put", ...object, blob: await receive(madeBytes(seed, size)) });
    return;
  }
  const uploadId = ids.next("upl");
  await store.change({ kind: "beginUpload", ...object, id: uploadId });
  for (const of of [seed + 1, seed]) {
    const blob = await receive(madeBytes(of, size));
    await store.change({ kind: "putPart", uploadId, number: 1, etag: `${of}`, at: 1, blob });
  }
  await store.change({ kind: "completeUpload", uploadId, parts: [{ number: 1, etag: `${seed}` }], object });
}

async function turnOf(worker: number, turn: number): Promise<void> {
  const name = `${worker}-${turn % 7}`;
  if (turn % 5 === 4) {
    tell(`removing ${name}`);
    const { refused } = await store.change({ kind: "remove", bucketId: "b", key: text.encode(name), when: {} });
    if (refused === null) tell(`gone ${name}`);
    return;
  }
  const seed = Number(round) * 1_000_000 + worker * 10_000 + turn;
  const size = sizes[turn % sizes.length] ?? 0;
  tell(`putting ${name} ${seed} ${size}`);
  await put(name, seed, size, turn % 7 === 6);
  tell(`put ${name} ${seed} ${size}`);
}

async function work(worker: number): Promise<void> {
  for (let turn = 0; turn < most; turn += 1)
    await turnOf(worker, turn).catch((error: unknown) => {
      if (turns === "") throw error;
    });
}

/** Switches encryption to and fro while the others write. */
async function switchSealing(): Promise<void> {
  for (let turn = Number(round); !isOver; turn += 1) {
    try {
      await store.change({ kind: "setSealing", on: turn % 2 === 0 });
      await store.tidy();
    } catch (error) {
      if (turns === "") throw error;
    }
    await Bun.sleep(5);
  }
}

const switched = sealing === "switched" ? switchSealing() : null;
await Promise.all([0, 1, 2, 3, 4, 5].map(work));
isOver = true;
await switched;
await store.stop();
