import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { storeSeal } from "../../../../tests/kit/store-seal.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createObjectStore } from "./index.ts";

/** More of them by hand: `STORE_KILLS=1000`. */
const ROUNDS = Number(Bun.env["STORE_KILLS"] ?? 3);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What an object may be after the kill: each `seed size`, or `none`. */
type Allowed = Map<string, Set<string>>;

/** Reads what the child told; what it had begun and not acknowledged may be either way. */
function follow(output: string, allowed: Allowed): number {
  let acknowledged = 0;
  const complete = output.slice(0, output.lastIndexOf("\n") + 1).split("\n");
  for (const line of complete) {
    const [what = "", name = "", ...rest] = line.split(" ");
    if (what === "") continue;
    if (what === "putting" || what === "removing") {
      const state = what === "putting" ? rest.join(" ") : "none";
      allowed.set(name, new Set([...(allowed.get(name) ?? ["none"]), state]));
    } else {
      allowed.set(name, new Set([what === "put" ? rest.join(" ") : "none"]));
      acknowledged += 1;
    }
  }
  return acknowledged;
}

async function runAndKill(folder: string, sealing: string, round: number, afterLines: number): Promise<string> {
  const script = join(import.meta.dir, "../../../../tests/kit/object-store-child.ts");
  const told = join(folder, "told");
  const child = Bun.spawn([process.execPath, script, folder, `${round}`, sealing, told], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let lines = 0;
  for await (const chunk of child.stdout) {
    lines += chunk.filter((byte) => byte === 10).length;
    if (lines > afterLines) child.kill("SIGKILL");
  }
  await child.exited;
  return readFileSync(told, "utf8");
}

test.each(["off", "switched"])(
  "after a kill -9 everything acknowledged is there and whole, the rest whole or not at all: encryption %s",
  async (sealing) => {
    const folder = makeScratch("store-kill");
    folders.push(folder);
    const allowed: Allowed = new Map();
    const clock = createFakeClock();
    for (let round = 0; round < ROUNDS; round += 1) {
      const acknowledged = follow(await runAndKill(folder, sealing, round, 40 + ((round * 37) % 200)), allowed);
      expect(acknowledged).toBeGreaterThan(0);
      const log = createLog(clock, "error", () => {});
      const signal = new AbortController().signal;
      const config = { data_dir: folder };
      const host = { ownSpace: async () => null };
      const openStore = () =>
        createObjectStore({ config, host, clock, ids: createIds(clock.now), log, signal, seal: storeSeal } as never);
      let store = openStore();
      if (round % 2 === 1) {
        // What was removed is struck out with the next tidying; from then on the segments alone are enough.
        await store.tidy();
        await store.stop();
        rmSync(join(folder, "objects", "catalogue.db"));
        store = openStore();
        await store.tidy();
      }
      for (const [name, states] of allowed) {
        const object = store.findObject("b", new TextEncoder().encode(name));
        const found = object === null ? "none" : `${object.etag} ${object.size}`;
        expect([...states]).toContain(found);
        allowed.set(name, new Set([found]));
        if (object === null) continue;
        const parts: Uint8Array[] = [];
        for await (const part of await store.open(object, { start: 0, length: object.size })) parts.push(part);
        expect(Buffer.concat(parts).equals(madeBytes(Number(object.etag), object.size))).toBe(true);
      }
      await store.stop();
    }
  },
);
