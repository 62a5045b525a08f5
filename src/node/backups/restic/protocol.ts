import type { TargetPlace } from "../engine/index.ts";
import type { ResticNode, ResticSnapshot } from "./format/documents.ts";
import type { Progress } from "./format/sync.ts";

/** A file or folder of a snapshot as it leaves the thread. */
export type ShownNode = Pick<ResticNode, "name" | "kind" | "size" | "mtime"> & { link: string | null };

/** What a download is of. */
export interface Begun {
  isFolder: boolean;
  name: string;
  /** Null for a folder. */
  size: number | null;
}

/** Some of the snapshots, the newest first, and how many there are. */
export interface SnapshotPage {
  page: ResticSnapshot[];
  total: number;
  unreadable: number;
}

/** What the thread is asked; of one repository, which is opened first. */
export type Question =
  | { ask: "open"; place: TargetPlace; password: string; index: string | null }
  | { ask: "sync"; room: number }
  | { ask: "sync_next" }
  | { ask: "snapshots"; from: number; limit: number }
  | { ask: "folder"; snapshot: string; path: string[]; from: number; limit: number }
  | { ask: "begin"; snapshot: string; path: string[] }
  | { ask: "next" };

/** What it answers: what the question is about. */
export interface Answer {
  version?: number;
  progress?: Progress | null;
  snapshots?: SnapshotPage;
  folder?: { total: number; nodes: ShownNode[] };
  begun?: Begun;
  /** Null: that was all. */
  bytes?: Uint8Array | null;
}
