import type { BlobFile, EarlierBlobs } from "./blobs.ts";
import type { CheckedShare } from "./check-share.ts";
import type { Opened, Verdict } from "./judge.ts";
import type { NamedDamage } from "./name-damage.ts";
import type { Piece, ScannedChunk } from "./pieces.ts";
import type { Pruned } from "./prune.ts";
import type { Passed, Snapshot, SnapshotPart, StoredStream } from "./snapshot.ts";
import type { TargetPlace } from "./target.ts";
import type { TreeSource } from "./tree.ts";

/** Who writes to a repository: what tells it from every other, and what people call it. */
export interface Holder {
  id: string;
  name: string;
}

/** What the engine's thread is asked; one after the other, and of one repository at a time. Keys are hex. */
export type Question =
  | { ask: "probe"; place: TargetPlace; name: string }
  | { ask: "has_repository"; place: TargetPlace }
  | { ask: "create"; place: TargetPlace; kit: string; passphrase: string | null }
  | { ask: "unlock"; place: TargetPlace; typed: string }
  /** With a holder it is open for writing, too; `aside` from then on everything else on this machine goes first. At most `limit` bytes a second. */
  | {
      ask: "open";
      place: TargetPlace;
      key: string;
      holder: Holder | null;
      urgency: "now" | "aside";
      limit: number | null;
    }
  | { ask: "list" }
  | { ask: "begin" }
  | { ask: "write"; bytes: Uint8Array }
  | { ask: "end" }
  /** The first `bytes` of it; all where they are null. */
  | { ask: "store_file"; path: string; bytes: number | null }
  /** A copy of a database that is in use. */
  | { ask: "copy_database"; from: string; to: string }
  | { ask: "begin_tree"; source: TreeSource }
  | { ask: "next_of_tree" }
  | { ask: "end_tree" }
  | { ask: "begin_blobs"; index: string; earlier: EarlierBlobs | null }
  | { ask: "add_blobs"; files: BlobFile[] }
  | { ask: "end_blobs" }
  | { ask: "commit"; snapshot: Snapshot }
  | { ask: "prune"; forgotten: string[] }
  | { ask: "distrust"; packs: string[] }
  | { ask: "snapshot"; id: string }
  | { ask: "check"; parts: SnapshotPart[]; scratch: string; room: number }
  /** What came of the database that was given out before; null where none was. */
  | { ask: "check_next"; verdict: Verdict | null }
  /** Of no packs: all of it is suspect. `root` is what archives of volumes begin with. */
  | { ask: "name_damage"; id: string; packs: readonly string[]; root: string }
  | { ask: "check_share"; share: number; of: number }
  | { ask: "read"; part: SnapshotPart }
  | { ask: "read_blob"; part: SnapshotPart; first: number; chunks: number }
  | { ask: "write_file"; part: SnapshotPart; path: string }
  | { ask: "read_pieces"; pieces: Piece[] }
  | { ask: "next" }
  | { ask: "scan"; part: SnapshotPart; root: string }
  | { ask: "scan_next" }
  | { ask: "close" };

/** What came of trying a place. */
export interface Probed {
  /** What should be known of it, in sentences. */
  warnings: readonly string[];
  /** Whether what is there cannot be written over. */
  isGuarded: boolean;
}

/** What it answers: what the question is about. */
export interface Answer {
  key?: string;
  found?: boolean;
  ids?: string[];
  added?: number;
  /** Ids of files that could not be read. */
  lost?: string[];
  probed?: Probed;
  /** A database to be judged, before the check goes on. */
  opened?: Opened;
  /** What should be known besides, in sentences; a check is through with it. */
  notes?: string[];
  pruned?: Pruned;
  share?: CheckedShare;
  damage?: NamedDamage;
  stream?: StoredStream;
  /** Null: that was all. */
  passed?: Passed | null;
  snapshot?: Snapshot;
  /** Null: that was all. */
  bytes?: Uint8Array | null;
  /** Null: that was all. */
  scanned?: ScannedChunk | null;
}
