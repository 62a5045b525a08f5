import { afterAll, expect, test } from "bun:test";
import { existsSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { openDriveNode } from "../../../../tests/kit/drive-node.ts";
import { createMinioData, type MinioData, serveMinio, writeMinioEnv } from "../../../../tests/kit/fake-minio.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
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

/** Bytes by `bucket/key`. */
type Objects = ReadonlyMap<string, Uint8Array>;

function fill(data: MinioData): Objects {
  const objects = new Map<string, Uint8Array>();
  for (const [bucket, count] of [
    ["photos", 5],
    ["texts", 3],
  ] as const) {
    data.makeBucket(bucket);
    for (let index = 0; index < count; index += 1) {
      const bytes = madeBytes(index, [10, 200_000, 4_096][index % 3] ?? 0);
      data.put(bucket, `key ${index}`, bytes);
      objects.set(`${bucket}/key ${index}`, bytes);
    }
  }
  return objects;
}

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

/** All of the buckets are seen with all that is in them, or none is. */
async function look(folder: string, round: number, objects: Objects, mustBeThere: boolean): Promise<void> {
  const node = openDriveNode(folder, round);
  const { objectStore } = node.ctx;
  const buckets = objectStore.listBuckets();
  expect([0, 2]).toContain(buckets.length);
  if (mustBeThere) expect([buckets.length, objectStore.listHidden()]).toEqual([2, []]);
  for (const [path, bytes] of buckets.length === 0 ? [] : objects) {
    const [bucket = "", key = ""] = path.split("/");
    const id = buckets.find(({ name }) => name === bucket)?.id ?? "";
    const object = objectStore.findObject(id, new TextEncoder().encode(key));
    if (object === null) throw new Error(`${path} is lost`);
    const pieces: Uint8Array[] = [];
    for await (const piece of await objectStore.open(object, { start: 0, length: object.size })) pieces.push(piece);
    expect([path, Buffer.concat(pieces).equals(bytes)]).toEqual([path, true]);
  }
  const counted = buckets.map(({ object_count }) => object_count);
  expect(counted).toEqual(buckets.length === 0 ? [] : [5, 3]);
  await node.ctx.objects.stop();
  await objectStore.stop();
  node.close();
  node.ctx.db.raw.close();
}

async function goOneWay(name: string, places: readonly string[]): Promise<void> {
  const folder = join(scratch, name);
  const data = createMinioData(join(folder, "minio", "data"));
  const objects = fill(data);
  const old = new Date(Date.UTC(2025, 0, 1));
  for (const path of new Bun.Glob("**/*").scanSync({ cwd: data.folder, dot: true }))
    utimesSync(join(data.folder, path), old, old);
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
      await look(folder, round, objects, where === "purge");
    }
    if (!places.includes("purge")) {
      const { ending } = await runOnce(folder, round, "none");
      expect(ending).toBe("objstore_legacy_purge_unavailable");
      await minio.close();
    }
    const { ending } = await runOnce(folder, round + 1, "none");
    expect(ending).toBe("purged");
    await look(folder, round + 2, objects, true);
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
