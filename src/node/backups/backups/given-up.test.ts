import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { addTarget, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { until } from "../../../../tests/kit/until.ts";
import { startVolumeEngine, type VolumeEngine } from "../../../../tests/kit/volume-engine.ts";
import { minutes } from "../../../lib/duration.ts";

/** More of them by hand: `RESTORE_STEPS=300`. */
const STEPS = Number(Bun.env["RESTORE_STEPS"] ?? 12);
const SEED = Number(Bun.env["RESTORE_SEED"] ?? 1);

let node: TestNode;
let engine: VolumeEngine;
/** Two targets, and of each the backup of both apps there. */
let old: { target: string; backup: string };
let fresh: { target: string; backup: string };

const APPS = ["app_photos", "app_notes"];
const pathOf = (app: string, path: string) =>
  join(engine.folderOf(node.ctx.apps.volumesOf(app)[0]?.source ?? ""), path);
const read = (path = "kept/letter", app = "app_photos") => readFileSync(pathOf(app, path), "utf8");
function write(text: string, path = "kept/letter", app = "app_photos"): void {
  mkdirSync(dirname(pathOf(app, path)), { recursive: true });
  writeFileSync(pathOf(app, path), text);
}

/** How an operation ends, while time passes. */
const end = (opId: string) =>
  until(async () => {
    await node.clock.advance(500);
    const operation = node.ctx.operations.get(opId);
    return operation.status === "running" ? null : operation;
  });
const logOf = (opId: string): string =>
  node.ctx.db.raw
    .query<{ event: string }, [string]>("SELECT event FROM operation_events WHERE operation_id = ? ORDER BY seq")
    .all(opId)
    .map(({ event }) => JSON.parse(event).text ?? "")
    .join("\n");
const stepsOf = (opId: string): string[] =>
  node.ctx.db.raw
    .query<{ event: string }, [string]>("SELECT event FROM operation_events WHERE operation_id = ? ORDER BY seq")
    .all(opId)
    .map(({ event }) => JSON.parse(event))
    .filter(({ type }) => type === "step")
    .map(({ step, status }) => `${step} ${status}`);
const rows = (table: string) => node.ctx.db.raw.query(`SELECT app_id FROM ${table} ORDER BY app_id`).all().length;

async function makeBackup(name: string) {
  const { id: target } = await addTarget(node, makeScratch(name), { name });
  const { body } = await post(node, "/api/backups", { target, apps: APPS, include_config: false });
  expect((await end(body.op_id)).status).toBe("done");
  const browsed = await post(node, `/api/backups/${body.id}/browse`);
  if (browsed.body.op_id !== null) await end(browsed.body.op_id);
  return { target, backup: String(body.id) };
}

const putBack = (backup: string, path = "kept", more: object = {}) =>
  post(node, `/api/backups/${backup}/put-back`, {
    ...{ app: "app_photos", volume: "data", path, mode: "over", dry_run: false },
    ...more,
  });
const restore = (backup: string, apps = ["app_photos"]) => post(node, `/api/backups/${backup}/restore`, { apps });
const removeTarget = (id: string) => node.call(`DELETE /api/backup/targets/${id}`, { as: "admin" });

/** Begins it while volumes cannot be filled, so that it waits. */
async function cutOff(begin: () => ReturnType<typeof post>): Promise<string> {
  engine.isShut = true;
  const { body } = await begin();
  expect((await end(body.op_id)).error?.message).toContain("stays stopped until its data is whole");
  engine.isShut = false;
  return body.op_id;
}
/** What is tried again in ten minutes. */
async function tryAgain(): Promise<void> {
  for (const _ of ["restores", "files", "what is left"]) {
    await node.clock.advance(minutes(10));
    await node.ctx.jobs.run("backups.go_on");
    await until(async () => {
      await node.clock.advance(500);
      return await isIdle();
    });
  }
}
/** A backup of nothing is refused for what it is only where nothing else is under way. */
const isIdle = async () =>
  (await post(node, "/api/backups", { target: old.target, apps: [], include_config: false })).body.code ===
  "backup_empty";
/** An operation as it is after a start: running, since what is written down of it goes on. */
const held = (steps: string[]) =>
  node.ctx.operations.begin({
    kind: "backup.restore",
    subject_id: old.backup,
    title: "Put back",
    steps: steps.map((step) => ({ step, title: step })),
    by: null,
  }).id;
const promised = (opId: string, app: string, begun = 0) =>
  node.ctx.db.raw
    .query(
      "INSERT INTO backup_restores (app_id, backup_id, user_id, ip, source, op_id, begun) VALUES (?, ?, 'usr_admin', '', NULL, ?, ?)",
    )
    .run(app, old.backup, opId, begun);
const promisedFile = (opId: string, path: string, written = 0) =>
  node.ctx.db.raw
    .query(
      "INSERT INTO backup_put_backs (app_id, backup_id, user_id, ip, volume, path, op_id, written) VALUES ('app_photos', ?, 'usr_admin', '', 'data', ?, ?, ?)",
    )
    .run(old.backup, path, opId, written);

beforeEach(async () => {
  engine = startVolumeEngine();
  node = createTestNode({ docker_socket: engine.socket });
  const { manifest } = await node.ctx.templates.load("whoami");
  const data = [{ name: "data", description: "What it has", backup: true }];
  const own = JSON.stringify({ ...manifest, volumes: data, backup: { consistency: "live" } });
  for (const name of ["photos", "notes"]) {
    await seedApp(node, name, { manifest: own });
    engine.volumes.set(node.ctx.apps.volumesOf(`app_${name}`)[0]?.source ?? "", `app_${name}`);
  }
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
  for (const app of APPS) write("old", "kept/letter", app);
  write("only old", "kept/gone");
  write("old", "list");
  old = await makeBackup("old");
  rmSync(pathOf("app_photos", "kept/gone"));
  for (const app of APPS) write("fresh", "kept/letter", app);
  write("fresh", "list");
  fresh = await makeBackup("fresh");
});
afterEach(() => {
  node.close();
  engine.stop();
});

test("a folder that waits is given up with the restore of its app, which runs then, and is never written over what came", async () => {
  await cutOff(() => putBack(old.backup));
  const start = () => post(node, "/api/apps/app_photos/start");
  expect([(await start()).body.code, (await removeTarget(old.target)).body.code]).toEqual([
    "app_busy",
    "backup_target_needed",
  ]);
  const { body } = await restore(fresh.backup);
  expect((await end(body.op_id)).status).toBe("done");
  await tryAgain();
  expect([read(), read("list")]).toEqual(["fresh", "fresh"]);
  expect(logOf(body.op_id)).toMatch(/still to come of kept of photos from the backup of .* UTC is given up for this\./);
  expect([rows("backup_put_backs"), rows("backup_restores")]).toEqual([0, 0]);
  expect((await removeTarget(old.target)).status).toBe(200);
  expect((await start()).body.status).toBe("starting");
});

test("a folder that waits stays until the data of its app begins to be replaced", async () => {
  await cutOff(() => putBack(old.backup));
  rmSync(
    join(
      String(
        node.ctx.db.raw
          .query<{ path: string }, [string]>("SELECT path FROM backup_targets WHERE id = ?")
          .get(fresh.target)?.path,
      ),
      "snapshots",
      fresh.backup,
    ),
  );
  const { body } = await restore(fresh.backup);
  expect((await end(body.op_id)).error?.code).toBe("backup_missing");
  expect(rows("backup_put_backs")).toBe(1);
  await tryAgain();
  expect([read(), read("list"), rows("backup_put_backs")]).toEqual(["old", "fresh", 0]);
});

test("the operation of a folder that was to go on says what came instead", async () => {
  const opId = held(["put"]);
  promisedFile(opId, "kept");
  await end((await restore(fresh.backup)).body.op_id);
  expect(node.ctx.operations.get(opId)).toMatchObject({
    status: "failed",
    error: {
      code: "backup_given_up",
      message: expect.stringMatching(
        /^Given up: all of photos is put back from the backup of 2026-\S+ \S+ UTC instead, as was asked for later\.$/,
      ),
    },
  });
});

test("of several apps that were to be put back one is given up for a newer restore, and the others come", async () => {
  const opId = held(["restore:app_photos", "restore:app_notes"]);
  promised(opId, "app_photos");
  promised(opId, "app_notes");
  await end((await restore(fresh.backup)).body.op_id);
  expect(node.ctx.operations.get(opId).status).toBe("running");
  expect(stepsOf(opId)).toEqual(["restore:app_photos failed"]);
  await tryAgain();
  expect([read(), read("kept/letter", "app_notes")]).toEqual(["fresh", "old"]);
  expect(node.ctx.operations.get(opId).status).toBe("done");
});

test("a restore that waits is given up for a newer one at another target", async () => {
  await cutOff(() => restore(old.backup));
  const opId = held(["restore:app_photos"]);
  node.ctx.db.raw.query("UPDATE backup_restores SET op_id = ?").run(opId);
  await end((await restore(fresh.backup)).body.op_id);
  expect(node.ctx.operations.get(opId).error?.code).toBe("backup_given_up");
  await tryAgain();
  expect([read(), (await removeTarget(old.target)).status]).toEqual(["fresh", 200]);
});

test("no file is put into an app that is to be put back: it would be lost with that", async () => {
  await cutOff(() => restore(old.backup));
  for (const mode of ["over", "beside"]) {
    const refused = await putBack(fresh.backup, "list", { mode });
    expect([refused.status, refused.body.code]).toEqual([409, "backup_restore_waits"]);
  }
  await tryAgain();
  expect((await putBack(fresh.backup, "list")).status).toBe(200);
});

test("a newer folder takes the place of one that waits where it has all that this has, and of nothing else", async () => {
  await cutOff(() => putBack(old.backup, "kept/letter"));
  for (const [path, mode] of [
    ["list", "over"],
    ["kept/letter", "beside"],
  ]) {
    const refused = await putBack(fresh.backup, path, { mode });
    expect([refused.status, refused.body.code]).toEqual([409, "backup_restore_waits"]);
  }
  const { body } = await putBack(fresh.backup);
  expect((await end(body.op_id)).status).toBe("done");
  expect(logOf(body.op_id)).toContain("still to come of kept/letter");
  await tryAgain();
  expect([read(), rows("backup_put_backs")]).toEqual(["fresh", 0]);
  // It has a file that the newer backup has not, which would stay half.
  await cutOff(() => putBack(old.backup));
  expect((await putBack(fresh.backup)).body.code).toBe("backup_restore_waits");
});

test("a folder that is whole and waits for its app alone is told as done before the next one comes", async () => {
  const opId = held(["put"]);
  promisedFile(opId, "kept", 1);
  await end((await putBack(fresh.backup, "list")).body.op_id);
  expect(node.ctx.operations.get(opId).status).toBe("done");
});

test("what waits for an app ends when that is uninstalled, whatever takes its id later", async () => {
  await cutOff(() => putBack(old.backup));
  const opId = held(["put"]);
  node.ctx.db.raw.query("UPDATE backup_put_backs SET op_id = ?").run(opId);
  const { body } = await node.call("DELETE /api/apps/app_photos", { as: "admin" });
  expect((await end(body.op_id)).status).toBe("done");
  expect(rows("backup_put_backs")).toBe(0);
  expect(node.ctx.operations.get(opId).error?.message).toBe("The app was uninstalled in the middle of it.");
  expect((await removeTarget(old.target)).status).toBe(200);
});

/** What is in the two backups, and what an order of a path writes of it. */
const HELD: Record<string, Record<string, string>> = {
  old: { "kept/letter": "old", "kept/gone": "only old", list: "old" },
  fresh: { "kept/letter": "fresh", list: "fresh" },
};
const writtenBy = (from: string, path: string) =>
  Object.entries(HELD[from] ?? {}).filter(([file]) => file === path || file.startsWith(`${path}/`));

test("in whatever order things are put back, what is there is of the newest order, and nothing comes after it", async () => {
  const random = seeded(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  let there: Record<string, string> = { ...HELD["fresh"] };
  /** What waits, of which backup; no path: all of the app. */
  let waits: { from: string; path: string | null } | null = null;
  const found = () =>
    Object.fromEntries(
      ["kept/letter", "kept/gone", "list"].flatMap((path) =>
        existsSync(pathOf("app_photos", path)) ? [[path, read(path)]] : [],
      ),
    );
  const apply = (from: string, path: string | null) => {
    there = path === null ? { ...HELD[from] } : { ...there, ...Object.fromEntries(writtenBy(from, path)) };
    waits = null;
  };
  for (let step = 0; step < STEPS; step += 1) {
    engine.isShut = random() < 0.5;
    const from = pick(["old", "fresh"]);
    const backup = from === "old" ? old.backup : fresh.backup;
    const way = pick(["file", "file", "app", "again"]);
    const older = waits as { from: string; path: string | null } | null;
    if (way === "again") {
      await tryAgain();
      if (older !== null && !engine.isShut) apply(older.from, older.path);
    } else if (way === "app") {
      await end((await restore(backup)).body.op_id);
      if (engine.isShut) [there, waits] = [{}, { from, path: null }];
      else apply(from, null);
    } else {
      const path = pick(["kept", "kept/letter", "list"]);
      const { status, body } = await putBack(backup, path);
      const due = older?.path == null ? [] : writtenBy(older.from, older.path).map(([file]) => file);
      const files = writtenBy(from, path).map(([file]) => file);
      const isFree = older === null || (older.path !== null && due.every((file) => files.includes(file)));
      // A folder is more than the files in it.
      const isFolder = older?.path === "kept" && path !== "kept";
      expect([step, way, from, path, older, status]).toEqual([
        step,
        way,
        from,
        path,
        older,
        isFree && !isFolder ? 200 : 409,
      ]);
      if (status === 200) {
        await end(body.op_id);
        if (engine.isShut) waits = { from, path };
        else apply(from, path);
      }
    }
    const left = [rows("backup_put_backs"), rows("backup_restores")];
    const now = waits as { from: string; path: string | null } | null;
    expect([step, way, from, found(), left]).toEqual([
      ...[step, way, from, there],
      [now !== null && now.path !== null ? 1 : 0, now !== null && now.path === null ? 1 : 0],
    ]);
  }
}, 600_000);
