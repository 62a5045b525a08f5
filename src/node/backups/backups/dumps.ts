import { type Database, type Dumper, dumpName, findDatabases } from "../../apps/apps/index.ts";
import type { Own } from "./needs.ts";

export type { Database as Dump, Dumper };

/** The databases of an app. */
export const findDumps = ({ apps }: Pick<Own, "apps">, appId: string): Database[] =>
  findDatabases(apps.backupOf(appId).dumps, apps.imagesOf(appId));

/** Name of the part that a dump becomes. */
export const nameOf = (dump: Database): string => `dumps/${dumpName(dump)}`;
