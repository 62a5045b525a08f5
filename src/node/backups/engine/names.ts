import { EngineFailure } from "./failure.ts";
import type { Entry } from "./target.ts";

/** Names of files in a repository; nothing else is looked at. */
export const NAME = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i;

/** Folder of files that are still coming in; what a killed writer left there is removed by whoever tidies up. */
export const INCOMING = "incoming";

export const isRepositoryName = (name: string): boolean => NAME.test(name);

/** Throws `target_refused` for what is no name: it would lead somewhere else. */
export function assertName(name: string): void {
  if (!isRepositoryName(name)) throw new EngineFailure("target_refused", `${name} is no name in a repository.`);
}

/** The order of names is that of their letters' codes, everywhere. */
export const byName = (left: Entry, right: Entry): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
