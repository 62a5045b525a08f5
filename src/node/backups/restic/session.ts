import { startThread } from "../../../kernel/thread.ts";
import type { TargetPlace } from "../engine/index.ts";
import type { Progress } from "./format/sync.ts";
import type { Answer, Begun, Question, SnapshotPage } from "./protocol.ts";

/** A restic repository that is open in a thread of its own; nothing is ever written to it. What it throws has a code. */
export interface ResticSession {
  /** Opens it, with its index in that file; null where nothing but the version is asked for, which it answers. */
  open(place: TargetPlace, password: string, index: string | null): Promise<number>;
  /** Reads what is new in it; at most `room` bytes may be written here. */
  sync(room: number): AsyncIterable<Progress>;
  snapshots(from: number, limit: number): Promise<SnapshotPage>;
  folder(snapshot: string, path: string[], from: number, limit: number): Promise<NonNullable<Answer["folder"]>>;
  /** Begins to read a file, or a folder as an archive; one thing at a time. */
  begin(snapshot: string, path: string[]): Promise<Begun>;
  /** The bytes of what was begun. */
  rest(): AsyncIterable<Uint8Array>;
  end(): void;
}

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the thread answered something else");
  return value;
}

/** Starts a thread for one repository, which ends when one of `until` aborts. */
export function startRestic(until: readonly AbortSignal[] = []): ResticSession {
  const { ask, end } = startThread<Question, Answer>("node/backups/restic/thread", until);
  return {
    open: async (place, password, index) => given((await ask({ ask: "open", place, password, index })).version),
    async *sync(room) {
      await ask({ ask: "sync", room });
      for (;;) {
        const progress = given((await ask({ ask: "sync_next" })).progress);
        if (progress === null) return;
        yield progress;
      }
    },
    snapshots: async (from, limit) => given((await ask({ ask: "snapshots", from, limit })).snapshots),
    folder: async (snapshot, path, from, limit) =>
      given((await ask({ ask: "folder", snapshot, path, from, limit })).folder),
    begin: async (snapshot, path) => given((await ask({ ask: "begin", snapshot, path })).begun),
    async *rest() {
      for (;;) {
        const bytes = given((await ask({ ask: "next" })).bytes);
        if (bytes === null) return;
        yield bytes;
      }
    },
    end,
  };
}
