/**
 * A store under load in a process of its own, which tells each change once it is acknowledged: `put NAME SEED SIZE`, `gone NAME`. What it
 * tells is in a file, which a kill takes nothing of, and on its output, which it may.
 */
import { openSync, writeSync } from "node:fs";
import { createLog } from "../../src/kernel/log.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { createObjectStore } from "../../src/node/storage/object-store/index.ts";
import { madeBytes } from "./made-bytes.ts";
import { storeSeal } from "./store-seal.ts";

const [folder = "", round = "0", sealing = "off", told = "/dev/null"] = process.argv.slice(2);
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
  process.stdout.write(".\n");
}

await store.change({ kind: "makeBucket", id: "b", name: "bucket", visibility: "private", at: 1 });
const sizes = [10, 4_096, 200_000];

async function work(worker: number): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const name = `${worker}-${turn % 7}`;
    const key = text.encode(name);
    if (turn % 5 === 4) {
      tell(`removing ${name}`);
      const { refused } = await store.change({ kind: "remove", bucketId: "b", key, when: {} });
      if (refused === null) tell(`gone ${name}`);
      continue;
    }
    const seed = Number(round) * 1_000_000 + worker * 10_000 + turn;
    const size = sizes[turn % sizes.length] ?? 0;
    tell(`putting ${name} ${seed} ${size}`);
    const incoming = await store.receive();
    await incoming.add(madeBytes(seed, size));
    const blob = await incoming.finish();
    await store.change({ kind: "put", bucketId: "b", key, etag: `${seed}`, facts: "{}", at: 1, when: {}, blob });
    tell(`put ${name} ${seed} ${size}`);
  }
}

/** Switches encryption to and fro while the others write. */
async function switchSealing(): Promise<void> {
  for (let turn = Number(round); ; turn += 1) {
    await store.change({ kind: "setSealing", on: turn % 2 === 0 });
    await store.tidy();
    await Bun.sleep(5);
  }
}

await Promise.all([...[0, 1, 2, 3, 4, 5].map(work), ...(sealing === "switched" ? [switchSealing()] : [])]);
