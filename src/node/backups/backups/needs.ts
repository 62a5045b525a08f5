import type { Bus } from "../../../kernel/bus.ts";
import type { Apps } from "../../apps/apps/index.ts";
import type { Runtime } from "../../apps/runtime/index.ts";
import type { NodeBase } from "../../base.ts";
import type { HostRole } from "../../host/host-role/index.ts";
import type { Identity } from "../../platform/identity/index.ts";
import type { Asker, Operations } from "../../platform/operations/index.ts";
import type { Drive } from "../../storage/drive/index.ts";
import type { ObjectStore } from "../../storage/object-store/index.ts";
import type { Objects } from "../../storage/objects/index.ts";
import type { BrowseState } from "./browse-state.ts";
import type { BackupEvents } from "./contract.ts";
import type { Look } from "./look.ts";

/** Who waits for an image. */
export interface ImageWait {
  /** Aborts when nobody waits for it any more. */
  signal: AbortSignal;
  tell(text: string): void;
}

/** What the backups need. */
export interface Needs extends NodeBase {
  bus: Bus<BackupEvents>;
  identity: Pick<Identity, "name">;
  operations: Pick<Operations, "begin" | "resume">;
  apps: Pick<
    Apps,
    | "get"
    | "list"
    | "pullImage"
    | "listServices"
    | "imagesOf"
    | "volumesOf"
    | "backupOf"
    | "draftOf"
    | "diskBytes"
    | "measureVolumes"
    | "freeze"
    | "startApp"
    | "stopApp"
    | "planClone"
    | "prepareClone"
    | "rehearse"
    | "removeRehearsals"
    | "uninstallApp"
  >;
  objects: Pick<Objects, "port" | "refresh">;
  objectStore: ObjectStore;
  drive: Pick<Drive, "putBack">;
  hostRole: HostRole;
  runtime: Pick<Runtime, "requireEngine" | "engine" | "facts" | "watch">;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** What is under way: one thing at a time. Null: nothing. And what ends it where it gives way to what somebody orders. */
  work: { current: Promise<void> | null; giveWay: (() => void) | null };
  /** What ends what is under way of a backup, and what is said then. */
  cancel: { id: string; told: string; end: (by: Asker) => void } | null;
  /** What is told where what is under way waits for an image, and what ends that wait; null: nothing but the end of the program. */
  imageWait: ImageWait | null;
  /** When a backup was last tried by itself, so that one whose target is away is not tried every minute. */
  drill: { at: number | null };
  /** The copies of one backup that people look into. */
  look: Look;
  /** When restores that were cut off may be tried again, monotonic milliseconds: each try reads a whole backup. */
  resume: { from: number };
  /** Whether nothing is left of copies of apps that were started from backups. */
  startTests: { isClean: boolean };
  /** What is known of files in backups, and who reads them. */
  browse: BrowseState;
}
