import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addTarget, backUp, get } from "../../../../tests/kit/backup-calls.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createIds } from "../../../lib/ids.ts";
import { migrateMain } from "../../open-data.ts";
import { returnedWays } from "../../people/wire.ts";
import { KEY_FILE } from "./objects-parts.ts";
import { createRestoreCommand } from "./restore-command.ts";

/** What test nodes seal with. */
const SEAL_KEY = Buffer.alloc(32, 7);

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
  const folder = join(makeScratch("new"), "data");
  const clock = createFakeClock();
  const code = await createRestoreCommand({
    option: {},
    folderOf: () => folder,
    version: "1.2.3",
    migrate: (database) => void migrateMain(database, "2026-01-01T00:00:00.000Z", () => {}),
    ways: returnedWays({ clock, ids: createIds(clock.now), log }),
    readLine: async () => recovery_key,
  }).run({ text: (name) => (name === "TARGET" ? path : undefined), flag: () => false }, () => {});
  expect(code).toBe(0);
  const back = new Database(join(folder, "main.db"));
  expect(["sessions", "dav_passwords"].map((table) => count(back, table))).toEqual([0, 0]);
  expect(count(back, "users")).toBeGreaterThan(0);
  back.close();
});
