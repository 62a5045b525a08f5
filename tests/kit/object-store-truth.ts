import { expect } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../src/kernel/log.ts";
import { createIds } from "../../src/lib/ids.ts";
import { createObjectStore } from "../../src/node/storage/object-store/index.ts";
import { createFakeClock } from "./fake-clock.ts";
import { madeBytes } from "./made-bytes.ts";
import { storeSeal } from "./store-seal.ts";

/** What an object may be after the end of the child of `object-store-child.ts`: each `seed size`, or `none`. */
export type Allowed = Map<string, Set<string>>;

/** Reads what the child told; what it had begun and not acknowledged may be either way. Answers how much it had acknowledged. */
export function follow(output: string, allowed: Allowed): number {
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

const clock = createFakeClock();

/**
 * Expects the store below `folder` to hold what it may, each object whole, also when its catalogue is made anew before. From then on
 * nothing else is allowed.
 */
export async function expectTruth(folder: string, allowed: Allowed, withoutCatalogue: boolean): Promise<void> {
  const log = createLog(clock, "error", () => {});
  const { signal } = new AbortController();
  const host = { ownSpace: async () => null };
  const needs = { config: { data_dir: folder }, host, clock, ids: createIds(clock.now), log, signal, seal: storeSeal };
  const openStore = () => createObjectStore(needs as never);
  let store = openStore();
  try {
    if (withoutCatalogue) {
      // What was removed is struck out with the next tidying; from then on the segments alone are enough.
      await store.tidy();
      await store.stop();
      rmSync(join(folder, "objects", "catalogue.db"), { force: true });
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
  } finally {
    await store.stop();
  }
}
