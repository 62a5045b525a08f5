import type { Piece, ScannedChunk } from "./pieces.ts";
import type { Pruned } from "./prune.ts";
import type { Snapshot, SnapshotPart } from "./snapshot.ts";
import type { TargetPlace } from "./target.ts";

/** What the engine's thread is asked; one after the other, and of one repository at a time. Keys are hex. */
export type Question =
  | { ask: "probe"; place: TargetPlace; name: string }
  | { ask: "has_repository"; place: TargetPlace }
  | { ask: "create"; place: TargetPlace; kit: string; passphrase: string | null }
  | { ask: "unlock"; place: TargetPlace; typed: string }
  /** With a holder it is open for writing, too. */
  | { ask: "open"; place: TargetPlace; key: string; holder: string | null }
  | { ask: "list" }
  | { ask: "begin" }
  | { ask: "write"; bytes: Uint8Array }
  | { ask: "end" }
  | { ask: "store_file"; path: string }
  | { ask: "commit"; snapshot: Snapshot }
  | { ask: "prune"; forgotten: string[] }
  | { ask: "snapshot"; id: string }
  | { ask: "check"; parts: SnapshotPart[]; scratch: string }
  | { ask: "read"; part: SnapshotPart }
  | { ask: "read_pieces"; pieces: Piece[] }
  | { ask: "next" }
  | { ask: "scan"; part: SnapshotPart; root: string }
  | { ask: "scan_next" }
  | { ask: "close" };

/** What it answers: what the question is about. */
export interface Answer {
  key?: string;
  found?: boolean;
  ids?: string[];
  added?: number;
  warnings?: readonly string[];
  pruned?: Pruned;
  stream?: Pick<SnapshotPart, "size" | "sha256" | "list">;
  snapshot?: Snapshot;
  /** Null: that was all. */
  bytes?: Uint8Array | null;
  /** Null: that was all. */
  scanned?: ScannedChunk | null;
}
