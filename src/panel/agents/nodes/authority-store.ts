import type { SystemDb } from "../../data/tenant-db.ts";
import type { AuthorityStore } from "../pki/index.ts";

/** Keeps the record of the certificate authority in its one row. */
export function createAuthorityStore(db: SystemDb): AuthorityStore {
  return {
    async load() {
      const row = await db.get<{ record: string; version: number }>(
        "SELECT record, version FROM authority WHERE one = 1",
      );
      return row && { text: row.record, version: row.version };
    },
    async save(text, expected) {
      const changed =
        expected === 0
          ? await db.run("INSERT INTO authority (one, record, version) VALUES (1, ?, 1) ON CONFLICT (one) DO NOTHING", [
              text,
            ])
          : await db.run("UPDATE authority SET record = ?, version = version + 1 WHERE one = 1 AND version = ?", [
              text,
              expected,
            ]);
      return changed === 1;
    },
  };
}
