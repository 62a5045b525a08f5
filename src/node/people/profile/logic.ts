import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { MAX_CHANGED, type Preferences, type PreferencesChange } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { changeSpaces, isTooMuch, parseSpaces } from "./spaces.ts";
import { findPreferences, type PreferencesRow, putPreferences } from "./store.ts";

const untouched = (userId: string): PreferencesRow => ({
  user_id: userId,
  accent: null,
  custom_accent: null,
  theme: null,
  motion: null,
  sounds: null,
  mode: null,
  spaces: "{}",
});

function withDefaults({ identity }: Needs, row: PreferencesRow): Preferences {
  return {
    accent: row.accent ?? "nebula",
    custom_accent: row.custom_accent,
    theme: row.theme ?? "dark",
    motion: row.motion ?? "cinematic",
    sounds: row.sounds === 1,
    mode: row.mode ?? identity.mode(),
    spaces: parseSpaces(row.spaces),
  };
}

/** A user's preferences; what they never chose has its default, and the mode is the node's. */
export function readPreferences(needs: Needs, userId: string): Preferences {
  return withDefaults(needs, findPreferences(needs.db, userId) ?? untouched(userId));
}

/** Stores what changed and returns everything. Throws `invalid_request` when the spaces would become too many. */
export function changePreferences(needs: Needs, userId: string, { sounds, spaces, ...rest }: PreferencesChange) {
  return needs.db.tx(() => {
    const row: PreferencesRow = { ...(findPreferences(needs.db, userId) ?? untouched(userId)), ...rest };
    if (sounds !== undefined) row.sounds = sounds ? 1 : 0;
    if (spaces !== undefined) {
      const changed = changeSpaces(parseSpaces(row.spaces), spaces);
      if (isTooMuch(changed))
        throw kernelFail("invalid_request", { field: "spaces", reason: `must stay within ${MAX_CHANGED} each` });
      row.spaces = JSON.stringify(changed);
    }
    putPreferences(needs.db, row, toIso(needs.clock.now()));
    return withDefaults(needs, row);
  });
}
