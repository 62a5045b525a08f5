import { afterAll, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMinioData, serveMinio, writeMinioEnv } from "../../../../tests/kit/fake-minio.ts";
import { ageMinio, fillMinio, lookAtMoved } from "../../../../tests/kit/moved-objects.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

const PHASES = [
  "pending",
  "object photos/key 3",
  "page",
  "copying",
  "catching_up",
  "verifying",
  "check",
  "switching",
  "unveiled",
  "purge",
];
/** Enough for every day: in the middle of copying, and where two databases have to agree. */
const SOME = ["object photos/key 3", "check", "unveiled", "purge"];

/** Ways that are gone by hand, each with kills at steps that are drawn: `MIGRATION_KILLS=200`. */
const WAYS = Number(Bun.env["MIGRATION_KILLS"] ?? 0);
const KEY = { user: "backup-admin", password: "a-long-secret-of-minio" };
const scratch = makeScratch("migration-kill");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What one start came to: the steps, and how it ended; null where it was killed. */
async function runOnce(
  folder: string,
  round: number,
  where: string,
): Promise<{ steps: string[]; ending: string | null }> {
  const script = join(import.meta.dir, "../../../../tests/kit/object-migration-child.ts");
  const child = Bun.spawn([process.execPath, script, folder, `${round}`, where], { stdout: "pipe", stderr: "inherit" });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  await child.exited;
  const ending = /^ended (\S+)/.exec(lines.at(-1) ?? "")?.[1] ?? null;
  return { steps: lines, ending };
}

async function goOneWay(name: string, places: readonly string[]): Promise<void> {
  const folder = join(scratch, name);
  const data = createMinioData(join(folder, "minio", "data"));
  const objects = fillMinio(data);
  ageMinio(data.folder);
  const minio = await serveMinio(data.folder, KEY);
  writeMinioEnv(folder, KEY, minio.port);
  try {
    let round = 0;
    for (const where of places) {
      // The program ends before its data goes.
      if (where === "purge") await minio.close();
      const { ending, steps } = await runOnce(folder, round, where);
      // A step that is drawn may come after the end.
      if (!/^\d+$/.test(where)) expect([where, ending, steps.includes(where)]).toEqual([where, null, true]);
      round += 1;
      await lookAtMoved(folder, round, objects, where === "purge");
    }
    if (!places.includes("purge")) {
      const { ending } = await runOnce(folder, round, "none");
      expect(ending).toBe("objstore_legacy_purge_unavailable");
      await minio.close();
    }
    const { ending } = await runOnce(folder, round + 1, "none");
    expect(ending).toBe("purged");
    await lookAtMoved(folder, round + 2, objects, true);
    expect(existsSync(data.folder)).toBe(false);
  } finally {
    await minio.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("killed in each phase, it goes on where it was: buckets are seen all at once and whole, and nothing is lost", async () => {
  await goOneWay("phases", WAYS > 0 ? PHASES : SOME);
}, 120_000);

if (WAYS > 0)
  test("killed at any steps, it comes to the same end", async () => {
    for (let way = 0; way < WAYS; way += 1) {
      const places = Array.from({ length: 4 }, (_, kill) => String(1 + ((way * 7 + kill * 5) % 16)));
      await goOneWay(`way-${way}`, places);
    }
  }, 7_200_000);
