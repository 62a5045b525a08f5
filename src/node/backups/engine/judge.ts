import { type OwnProcess, ProcessEnded, startProcess } from "../../../kernel/host/own-process.ts";

/** Whether anybody waits for it. */
export type Urgency = "now" | "aside";

/** A database that lies in a file of its own, with what belongs to it, to be judged within so many seconds of a processor. */
export interface Opened {
  path: string;
  seconds: number;
}

/** Why a database could not be judged: what it was given was not enough, the disk that it was opened on failed, or it broke SQLite. */
export type Unjudged = "time" | "memory" | "disk" | "crash";

/** What is wrong with a database, null where nothing is; or why that cannot be said. */
export type Judged = { damage: string | null } | { unjudged: Unjudged };

/** What came of a database, and how many seconds of a processor that took. */
export type Verdict = Judged & { seconds: number };

/** Opens databases as their app would after a restore. */
export interface Judge {
  judge(opened: Opened): Promise<Verdict>;
  end(): void;
}

/** How often it may wait for its turn at a processor or a disk, in times of what it may use. */
const PATIENCE = 10;

const start = (until: AbortSignal) =>
  startProcess<Opened & { urgency: Urgency }, Verdict>("node/backups/engine/judge-program", until);

/**
 * Judges databases in a process of its own, one for all: who wrote one chose what SQLite does with it, which may take any time and memory.
 * It is ended when `until` aborts; judging throws then.
 */
export function createJudge(urgency: Urgency, until: AbortSignal): Judge {
  let running: OwnProcess<Opened & { urgency: Urgency }, Verdict> | null = null;
  return {
    async judge(opened) {
      until.throwIfAborted();
      running ??= start(until);
      try {
        return await running.ask({ ...opened, urgency }, opened.seconds * 1000 * PATIENCE);
      } catch (error) {
        until.throwIfAborted();
        if (!(error instanceof ProcessEnded)) throw error;
        running = null;
        return { unjudged: error.isLate ? "time" : "crash", seconds: opened.seconds };
      }
    },
    end: () => running?.end(),
  };
}

/** What is said of one that could not be judged, behind "read and not judged: ". */
export const REASONS: Readonly<Record<Unjudged, string>> = {
  time: "that takes longer than a check waits for it",
  memory: "that takes more memory than a check gives it",
  disk: "this server's disk failed, or is full",
  crash: "SQLite broke off",
};

/** Bytes of a database that are judged in a second by the slowest of machines. */
const BYTES_A_SECOND = 2 * 1024 * 1024;

/** Seconds that a database of that size may take. */
export const secondsFor = (bytes: number): number => bytes / BYTES_A_SECOND;

/** Seconds for what takes longer than others of its size. */
export const SPARE_SECONDS = 20;
