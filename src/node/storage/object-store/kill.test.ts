import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Allowed, expectTruth, follow } from "../../../../tests/kit/object-store-truth.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

/** More of them by hand: `STORE_KILLS=1000`. */
const ROUNDS = Number(Bun.env["STORE_KILLS"] ?? 3);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

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
    for (let round = 0; round < ROUNDS; round += 1) {
      const acknowledged = follow(await runAndKill(folder, sealing, round, 40 + ((round * 37) % 200)), allowed);
      expect(acknowledged).toBeGreaterThan(0);
      await expectTruth(folder, allowed, round % 2 === 1);
    }
  },
);
