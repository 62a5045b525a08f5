import type { Store } from "../../../kernel/db/store.ts";
import type { Preferences } from "./contract.ts";

/** A row of `preferences`; null where the user never chose. */
export interface PreferencesRow {
  user_id: string;
  accent: Preferences["accent"] | null;
  custom_accent: string | null;
  theme: Preferences["theme"] | null;
  motion: Preferences["motion"] | null;
  sounds: 0 | 1 | null;
  mode: Preferences["mode"] | null;
  /** JSON of the changed blocks. */
  spaces: string;
}

export function findPreferences(db: Store, userId: string): PreferencesRow | null {
  const sql = `SELECT user_id, accent, custom_accent, theme, motion, sounds, mode, spaces
               FROM preferences WHERE user_id = ?`;
  return db.raw.query<PreferencesRow, [string]>(sql).get(userId);
}

export function putPreferences(db: Store, row: PreferencesRow, now: string): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO preferences
       (user_id, accent, custom_accent, theme, motion, sounds, mode, spaces, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.user_id, row.accent, row.custom_accent, row.theme, row.motion, row.sounds, row.mode, row.spaces, now);
}

export function findSeenRelease(db: Store, userId: string): string | null {
  const sql = "SELECT version FROM seen_releases WHERE user_id = ?";
  return db.raw.query<{ version: string }, [string]>(sql).get(userId)?.version ?? null;
}

/** Notes the last release a user was shown; null forgets it. */
export function saveSeenRelease(db: Store, userId: string, version: string | null): void {
  if (version === null) {
    db.raw.query("DELETE FROM seen_releases WHERE user_id = ?").run(userId);
    return;
  }
  db.raw.query("INSERT OR REPLACE INTO seen_releases (user_id, version) VALUES (?, ?)").run(userId, version);
}
