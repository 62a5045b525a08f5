import { versionKey } from "./natural-key.ts";

/** True when `version` comes before `other`. What stands behind a `+` names a build and counts for nothing. */
export function isOlderVersion(version: string, other: string): boolean {
  const core = (text: string) => versionKey(text.split("+", 1)[0] ?? "");
  return core(version) < core(other);
}
