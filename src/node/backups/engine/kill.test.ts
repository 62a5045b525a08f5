import { expect, test } from "bun:test";
import { join } from "node:path";
import { readAll, same, seedOf, streamsOf } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createRepository } from "./repository.ts";
import { listSnapshots } from "./snapshot.ts";

/** More of them by hand: `BACKUP_KILLS=500`. */
const ROUNDS = Number(Bun.env["BACKUP_KILLS"] ?? 3);

/** Runs the child until it has told so many lines and a little longer, then kills it; what it told. */
async function runAndKill(folder: string, key: string, round: number): Promise<string> {
  const script = join(import.meta.dir, "../../../../tests/kit/repository-child.ts");
  const child = Bun.spawn([process.execPath, script, folder, key, `${round}`], { stdout: "pipe", stderr: "inherit" });
  const decoder = new TextDecoder();
  const lines = 1 + ((round * 7) % 23);
  let output = "";
  let isDoomed = false;
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    if (isDoomed || output.split("\n").length <= lines) continue;
    isDoomed = true;
    // Somewhere in the middle of what it does next.
    await Bun.sleep((round * 3) % 17);
    child.kill("SIGKILL");
  }
  await child.exited;
  return output.slice(0, output.lastIndexOf("\n"));
}

test("after a kill -9 every backup that was reported is whole, and so is whatever is listed", async () => {
  const folder = makeScratch("backup-kill");
  const target = openLocalFolder(folder);
  const key = await createRepository(target, "KIT", null);
  const reported = new Set<string>();
  const assertWhole = async (id: string) =>
    expect([id, same(await readAll(target, key, id), streamsOf(seedOf(id)))]).toEqual([id, true]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const line of (await runAndKill(folder, Buffer.from(key).toString("hex"), round)).split("\n")) {
      const [what = "", seed = ""] = line.split(" ");
      if (what === "stored") reported.add(`bak_${seed}`);
      if (what === "removing") reported.delete(`bak_${seed}`);
    }
    const found = await listSnapshots(target);
    for (const id of reported) expect(found).toContain(id);
    // What came in this round, and of the others a few.
    const fresh = found.filter((id) => Math.floor(seedOf(id) / 1000) === round);
    const others = found.filter((_, at) => (at + round) % 4 === 0);
    for (const id of new Set([...fresh, ...others])) await assertWhole(id);
  }
  for (const id of await listSnapshots(target)) await assertWhole(id);
  expect(reported.size).toBeGreaterThan(0);
}, 3_600_000);
