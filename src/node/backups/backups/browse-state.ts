import type { TarEntry } from "../engine/index.ts";

/** What stands in a volume's archive, by path, and the chunks it is made of. */
export interface VolumeIndex {
  entries: TarEntry[];
  chunks: { id: string; length: number }[];
}

/** What is known of files in backups. */
export interface BrowseState {
  held: { key: string; index: VolumeIndex }[];
  /** Backups that are being read now. */
  reading: Map<string, { op_id: string; done: Promise<void> }>;
  /** The reading of all of them, and what ends it. */
  all: { op_id: string; ending: AbortController } | null;
  /** How many searches run. */
  searches: number;
  downloads: Set<Promise<void>>;
}
