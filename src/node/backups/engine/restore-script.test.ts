import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { makeKitKey } from "./keys.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createRepository, openRepository } from "./repository.ts";
import { writeSnapshot, writeStream } from "./snapshot.ts";

const run = (argv: string[], env: Record<string, string> = {}) =>
  Bun.spawnSync(argv, { env: { PATH: "/usr/local/bin:/usr/bin:/bin", ...env }, stderr: "pipe" });

/** What the script itself asks for; a machine may have neither. */
const hasTools =
  run(["python3", "-c", "import cryptography"]).success &&
  (run(["python3", "-c", "import zstandard"]).success || run(["sh", "-c", "command -v zstd"]).success);

test.skipIf(!hasTools)(
  "the script reads what the engine wrote, with either key, and says what is damaged",
  async () => {
    const root = makeScratch("script");
    const target = openLocalFolder(root);
    const kit = makeKitKey();
    const key = await createRepository(target, kit, "correct hörse");
    const lease = await takeLease(target, "bak_1", () => 0);
    const repository = await openRepository(target, key, lease);
    const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => (at * at * 31 + (at >> 7)) & 255));
    const stream = writeStream(repository);
    await stream.write(bytes);
    const part = { kind: "volume" as const, app: "app_1", name: "data", ...(await stream.end()).stream };
    const apps = [{ id: "app_1", name: "notes", template: "notes", version: "1", images: {} }];
    const node = { name: "atlas", version: "1" };
    await writeSnapshot(target, repository, lease, {
      version: 1,
      id: "bak_1",
      created_at: "2026-01-01T00:00:00.000Z",
      node,
      apps,
      parts: [part],
    });
    const script = join(import.meta.dir, "../../../../docs/restore.py");
    for (const typed of [kit, "correct hörse"]) {
      const out = join(makeScratch("out"), "all");
      expect(run(["python3", script, root], { ORRERY_BACKUP_KEY: typed }).stdout.toString()).toContain("bak_1");
      const { exitCode } = run(["python3", script, root, "bak_1", out], { ORRERY_BACKUP_KEY: typed });
      expect(exitCode).toBe(0);
      expect(readFileSync(join(out, "notes/data.tar")).equals(bytes)).toBe(true);
    }
    expect(run(["python3", script, root], { ORRERY_BACKUP_KEY: "wrong" }).exitCode).toBe(1);
  },
);
