import type { Bus } from "../../../kernel/bus.ts";
import type { Apps } from "../../apps/apps/index.ts";
import type { Runtime } from "../../apps/runtime/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Identity } from "../../platform/identity/index.ts";
import type { Asker, Operations } from "../../platform/operations/index.ts";
import type { Objects } from "../../storage/objects/index.ts";
import type { BrowseState } from "./browse-state.ts";
import type { BackupEvents } from "./contract.ts";

/** What the backups need. */
export interface Needs extends NodeBase {
  bus: Bus<BackupEvents>;
  identity: Pick<Identity, "name">;
  operations: Pick<Operations, "begin">;
  apps: Pick<Apps, "get" | "list" | "listServices" | "volumesOf" | "startApp" | "stopApp">;
  objects: Pick<Objects, "port">;
  runtime: Pick<Runtime, "requireEngine" | "engine">;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** What is under way: one thing at a time. Null: nothing. */
  work: { current: Promise<void> | null };
  /** What ends the backup that is under way. */
  cancel: { id: string; end: (by: Asker) => void } | null;
  /** When a backup was last tried by itself, so that one whose target is away is not tried every minute. */
  drill: { at: number | null };
  /** When restores that were cut off may be tried again, monotonic milliseconds: each try reads a whole backup. */
  resume: { from: number };
  /** What is known of files in backups, and who reads them. */
  browse: BrowseState;
}
