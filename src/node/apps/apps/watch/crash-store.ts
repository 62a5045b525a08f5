import type { Store } from "../../../../kernel/db/store.ts";
import type { AppCrash } from "../contract.ts";

/** More are of no use: what happens again and again ends in the same words. */
const KEPT_CRASHES = 10;

/** The latest crashes of an app, latest first. */
export function listCrashes(db: Store, appId: string): AppCrash[] {
  return db.raw
    .query<Omit<AppCrash, "is_oom" | "lines"> & { is_oom: number; lines: string }, [string]>(
      "SELECT service, at, exit_code, is_oom, cause, lines FROM app_crashes WHERE app_id = ? ORDER BY id DESC",
    )
    .all(appId)
    .map((row) => {
      const lines: string[] = JSON.parse(row.lines);
      return { ...row, is_oom: row.is_oom === 1, lines };
    });
}

/** Keeps a crash, and forgets the oldest beyond ten of that app. */
export function insertCrash(db: Store, appId: string, crash: AppCrash): void {
  const { service, at, exit_code, is_oom, cause, lines } = crash;
  db.raw
    .query(
      "INSERT INTO app_crashes (app_id, service, at, exit_code, is_oom, cause, lines) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(appId, service, at, exit_code, is_oom ? 1 : 0, cause, JSON.stringify(lines));
  db.raw
    .query(
      `DELETE FROM app_crashes WHERE app_id = ?1 AND id NOT IN
         (SELECT id FROM app_crashes WHERE app_id = ?1 ORDER BY id DESC LIMIT ?2)`,
    )
    .run(appId, KEPT_CRASHES);
}
