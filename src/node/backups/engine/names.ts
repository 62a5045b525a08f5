import { EngineFailure } from "./failure.ts";
import type { Entry } from "./target.ts";

const NAME = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i;

/** Folder of files that are still coming in; what a killed writer left there is removed by whoever tidies up. */
export const INCOMING = "incoming";

/** Characters of a name at most; those of packs have 73. A listing of a million longer ones would fill the memory. */
const LONGEST = 200;

/** Names of files in a repository; nothing else is looked at. */
export const isRepositoryName = (name: string): boolean => name.length <= LONGEST && NAME.test(name);

/** The same letters in memory of their own: what is cut out of a reply keeps all of that reply. */
export const ownName = (name: string): string => Buffer.from(name).toString();

/** Throws `target_refused` for what is no name: it would lead somewhere else. */
export function assertName(name: string): void {
  if (!isRepositoryName(name)) throw new EngineFailure("target_refused", `${name} is no name in a repository.`);
}

/** The order of names is that of their letters' codes, everywhere. */
export const byName = (left: Entry, right: Entry): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
