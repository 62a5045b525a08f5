import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  createDisk,
  createDraw,
  cutTrace,
  readTrace,
  type Step,
  stepsOf,
  straceOf,
  TRACED,
} from "../../../../tests/kit/disk-trace.ts";
import { closeDriveNode, openDriveNode } from "../../../../tests/kit/drive-node.ts";
import { suite } from "../../../../tests/kit/env.ts";
import { createMinioData, type MinioServer, serveMinio, writeMinioEnv } from "../../../../tests/kit/fake-minio.ts";
import { ageMinio, fillMinio, lookAtMoved, type Objects } from "../../../../tests/kit/moved-objects.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { minutes } from "../../../lib/duration.ts";

/** Points at which the power goes, before and after the switch, each in three ways; more of them by hand: `MIGRATION_CUTS=80`. */
const CUTS = Number(Bun.env["MIGRATION_CUTS"] ?? 1);
/** Runs in which the disk fails at a call that is drawn: `MIGRATION_FAULTS=50`. */
const FAULTS = Number(Bun.env["MIGRATION_FAULTS"] ?? 1);
const CHILD = join(import.meta.dir, "../../../../tests/kit/object-migration-child.ts");
const KEY = { user: "backup-admin", password: "a-long-secret-of-minio" };
/** Calls that fail, and which of a thread's are drawn from: with fewer the node does not open. */
const CALLS = [
  ["pwrite64", 400, 900],
  ["fdatasync", 20, 70],
  ["fsync", 4, 30],
  ["writev", 1, 3],
] as const;

const scratch = makeScratch("migration-cut");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A node's folder with a MinIO in it that answers. */
async function prepare(folder: string): Promise<{ objects: Objects; minio: MinioServer }> {
  const own = createMinioData(join(folder, "minio", "data"));
  const objects = fillMinio(own);
  // It reads a folder of its own, so that the one of the node can go.
  const served = createMinioData(`${folder}-served`);
  fillMinio(served);
  ageMinio(own.folder);
  const minio = await serveMinio(served.folder, KEY);
  writeMinioEnv(folder, KEY, minio.port);
  return { objects, minio };
}

async function runChild(folder: string, round: number, strace: string[]): Promise<string> {
  const told = join(scratch, "told");
  const argv = [...strace, process.execPath, CHILD, folder, `${round}`, "none", told];
  await Bun.spawn(argv, { stdout: "ignore", stderr: "ignore" }).exited;
  return readFileSync(told, "utf8");
}

async function traceChild(folder: string, round: number): Promise<{ said: string; steps: Step[] }> {
  const said = await runChild(folder, round, straceOf(join(scratch, "trace"), "-e", `trace=${TRACED}`));
  return { said, steps: readTrace(join(scratch, "trace")) };
}

/** Starts the node again, and gives the phase in which it comes to rest. What failed is begun again, as a person does. */
async function goOn(folder: string, round: number): Promise<string> {
  const node = openDriveNode(folder, round);
  const state = async () => (await node.call("GET /api/objects/migration", { as: "admin" })).body.migration;
  node.ctx.objectMigration.start?.();
  // Who waits for room looks again each minute.
  if ((await state())?.phase === "waiting_space") await node.clock.advance(minutes(1));
  await node.ctx.objectMigration.settled();
  if ((await state())?.phase === "failed") {
    await node.call("POST /api/objects/migration/retry", { as: "admin", body: {} });
    await node.ctx.objectMigration.settled();
  }
  const { phase } = await state();
  await closeDriveNode(node);
  return phase;
}

test("what fails between the two databases is done with the next try, and nothing is brought over anew", async () => {
  const folder = join(scratch, "between");
  const { objects, minio } = await prepare(folder);
  let isFirst = true;
  const node = openDriveNode(folder, 0, {
    checkpoint(_subject, step) {
      if (step === "unveiled" && isFirst) throw new Error("the disk has an error");
    },
  });
  const phase = async () => (await node.call("GET /api/objects/migration", { as: "admin" })).body.migration.phase;
  try {
    node.ctx.objectMigration.start?.();
    await node.ctx.objectMigration.settled();
    expect(await phase()).toBe("failed");
    isFirst = false;
    const asked = minio.requests.length;
    expect((await node.call("POST /api/objects/migration/retry", { as: "admin", body: {} })).status).toBe(200);
    await node.ctx.objectMigration.settled();
    expect([await phase(), minio.requests.length]).toEqual(["done", asked]);
  } finally {
    await closeDriveNode(node);
    await minio.close();
  }
  await lookAtMoved(folder, 1, objects, true);
});

suite("the power goes while objects are brought over", ["strace"], () => {
  test("in each phase it goes on where it was: buckets are seen all at once and whole, and nothing is lost", async () => {
    const root = join(scratch, "traced");
    mkdirSync(root, { recursive: true });
    const { objects, minio } = await prepare(root);
    const disk = createDisk(root);
    for (const step of stepsOf(root)) disk.take(step);
    const left = join(scratch, "left");
    const told = join(scratch, "told");
    const goes = async (leave: (folder: string) => void, isMoved: boolean) => {
      leave(left);
      const data = join(left, "minio", "data");
      if (existsSync(data)) ageMinio(data);
      await lookAtMoved(left, 1, objects, isMoved);
      expect(await goOn(left, 2)).toBe("done");
      await lookAtMoved(left, 3, objects, true);
      rmSync(left, { recursive: true });
    };
    try {
      const moving = await traceChild(root, 0);
      expect(moving.said).toContain("ended objstore_legacy_purge_unavailable");
      await cutTrace({ steps: moving.steps, root, told, count: CUTS, disk }, ({ leave, said }) =>
        goes(leave, said.includes("ended ")),
      );
      await minio.close();
      const purging = await traceChild(root, 1);
      expect([purging.said.includes("ended purged"), existsSync(join(root, "minio", "data"))]).toEqual([true, false]);
      await cutTrace({ steps: purging.steps, root, told, count: CUTS, disk }, ({ leave }) => goes(leave, true));
    } finally {
      await minio.close();
    }
  }, 3_600_000);

  test("a disk that fails at any call loses nothing and shows nothing half", async () => {
    const draw = createDraw(FAULTS);
    for (let run = 0; run < FAULTS; run += 1) {
      const folder = join(scratch, `fault-${run}`);
      const { objects, minio } = await prepare(folder);
      const [call, least, most] = CALLS[run % CALLS.length] ?? CALLS[0];
      const when = least + Math.floor(draw() * (most - least + 1));
      const fault = run % 2 === 0 ? `error=EIO:when=${when}` : `error=ENOSPC:when=${when}..${when + 6}`;
      try {
        await runChild(folder, 0, straceOf("/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:${fault}`));
        await lookAtMoved(folder, 1, objects, false);
        expect(await goOn(folder, 2)).toBe("done");
        await lookAtMoved(folder, 3, objects, true);
      } finally {
        await minio.close();
        rmSync(folder, { recursive: true, force: true });
        rmSync(`${folder}-served`, { recursive: true, force: true });
      }
    }
  }, 3_600_000);
});
