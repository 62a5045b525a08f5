import { toIso } from "../../../lib/clock.ts";
import type { NodeContext } from "../../context.ts";
import { nodeMode } from "../system/index.ts";
import type { Preferences, PreferencesChange } from "./contract.ts";
import { changeSpaces, parseSpaces } from "./spaces.ts";
import { findPreferences, type PreferencesRow, putPreferences } from "./store.ts";

type Deps = Pick<NodeContext, "db" | "settings" | "clock">;

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

function withDefaults(deps: Deps, row: PreferencesRow): Preferences {
  return {
    accent: row.accent ?? "nebula",
    custom_accent: row.custom_accent,
    theme: row.theme ?? "dark",
    motion: row.motion ?? "cinematic",
    sounds: row.sounds === 1,
    mode: row.mode ?? nodeMode(deps),
    spaces: parseSpaces(row.spaces),
  };
}

/** A user's preferences; what they never chose has its default, and the mode is the node's. */
export function readPreferences(deps: Deps, userId: string): Preferences {
  return withDefaults(deps, findPreferences(deps.db, userId) ?? untouched(userId));
}

/** Stores what changed and returns everything. */
export function changePreferences(deps: Deps, userId: string, { sounds, spaces, ...rest }: PreferencesChange) {
  return deps.db.tx(() => {
    const row: PreferencesRow = { ...(findPreferences(deps.db, userId) ?? untouched(userId)), ...rest };
    if (sounds !== undefined) row.sounds = sounds ? 1 : 0;
    if (spaces !== undefined) row.spaces = JSON.stringify(changeSpaces(parseSpaces(row.spaces), spaces));
    putPreferences(deps.db, row, toIso(deps.clock.now()));
    return withDefaults(deps, row);
  });
}
