import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addTarget, backUp, get, post } from "../../../../tests/kit/backup-calls.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { Log } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { migrateMain } from "../../open-data.ts";
import { returnedWays } from "../../people/wire.ts";
import { KEY_FILE } from "./objects-parts.ts";
import { insertPutBack, listPutBacks } from "./put-back-store.ts";
import { createRestoreCommand } from "./restore-command.ts";
import { markRestored } from "./restored-store.ts";
import { HALF, insertObjectRestore, insertRestore, listObjectRestores, listRestores } from "./store.ts";

/** What test nodes seal with. */
const SEAL_KEY = Buffer.alloc(32, 7);

/** The database of a node that is brought back from there. */
async function bringBack(path: string, key: string, log: Log): Promise<Database> {
  const folder = join(makeScratch("new"), "data");
  const clock = createFakeClock();
  const code = await createRestoreCommand({
    option: {},
    folderOf: () => folder,
    version: "1.2.3",
    clock,
    migrate: (database) => void migrateMain(database, "2026-01-01T00:00:00.000Z", () => {}),
    ways: returnedWays({ clock, ids: createIds(clock.now), log }),
    readLine: async () => key,
  }).run({ text: (name) => (name === "TARGET" ? path : undefined), flag: () => false }, () => {});
  expect(code).toBe(0);
  return new Database(join(folder, "main.db"));
}

test("a node comes back from what an older program backed up, without its sessions", async () => {
  const node = createTestNode();
  const { id: target, path } = await addTarget(node);
  const { recovery_key } = await get(node, `/api/backup/targets/${target}/kit`);
  const { db, log } = node.ctx;
  const count = (raw: Database, table: string) =>
    raw.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  expect(count(db.raw, "sessions")).toBeGreaterThan(0);
  // As an older program leaves it, which knew no such passwords.
  db.raw.run("DROP TABLE dav_passwords");
  db.raw.run("DELETE FROM migrations WHERE feature = 'dav-passwords'");
  writeFileSync(join(node.ctx.config.data_dir, KEY_FILE), SEAL_KEY.toString("base64"));
  await backUp(node, target);
  node.close();
  const back = await bringBack(path, recovery_key, log);
  expect(["sessions", "dav_passwords"].map((table) => count(back, table))).toEqual([0, 0]);
  expect(count(back, "users")).toBeGreaterThan(0);
  back.close();
});

test("what was still to be put back before a node is brought back is given up for what comes with it", async () => {
  const node = createTestNode();
  const { id: target, path } = await addTarget(node);
  const { recovery_key } = await get(node, `/api/backup/targets/${target}/kit`);
  const { db, log, operations } = node.ctx;
  writeFileSync(join(node.ctx.config.data_dir, KEY_FILE), SEAL_KEY.toString("base64"));
  await post(node, "/api/objects/buckets", { name: "photos" });
  const { id: older } = await backUp(node, target);
  const begun = (title: string) =>
    operations.begin({ kind: "backup.restore", subject_id: older, title, steps: [], by: null }).id;
  const by = { user_id: "usr_admin", ip: "", backup_id: older };
  const [file, app, other, bucket] = [begun("file"), begun("app"), begun("other"), begun("bucket")];
  insertPutBack(db, { ...by, app_id: "app_photos", volume: "data", path: "kept", op_id: file });
  insertRestore(db, { ...by, app_id: "app_photos", op_id: app, source: null, begun: HALF });
  insertRestore(db, { ...by, app_id: "app_notes", op_id: other, source: null, begun: HALF });
  insertObjectRestore(db, { ...by, op_id: bucket, wish: "{}" });
  node.clock.jump(60_000);
  await backUp(node, target);
  const back = await bringBack(path, recovery_key, log);
  const ended = back
    .query<{ id: string; error: string }, []>("SELECT id, error FROM operations WHERE error IS NOT NULL")
    .all();
  expect(ended.map(({ id }) => id)).toEqual([bucket]);
  expect(JSON.parse(ended[0]?.error ?? "").message).toMatch(
    /^Given up: this server is put back from the backup of .* UTC instead, as was asked for later\.$/,
  );
  back.close();
  // Where volumes of an app come back, too.
  const apps = ["app_photos"];
  const facts = { backup: older, at: "2026-02-01T00:00:00.000Z", bytes: 1, path, place: () => null };
  const over = db.tx(() => markRestored(db, { ...facts, apps, hasObjects: false }));
  expect(over.toSorted()).toEqual([file, app].toSorted());
  expect([listPutBacks(db).length, listObjectRestores(db).length]).toEqual([0, 1]);
  const left = listRestores(db).map(({ app_id, op_id }) => [app_id, op_id]);
  expect(left).toEqual([
    ["app_notes", other],
    ["app_photos", null],
  ]);
  await node.ctx.objectStore.stop();
  node.close();
});
