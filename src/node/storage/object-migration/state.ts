import { AppError } from "../../../kernel/http/errors.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { StoreMigration } from "../../host/components/contract.ts";
import { DRIVE_BUCKET } from "../objects/index.ts";
import { fail, isPhase, type MigrationCode, type Phase } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

/** How far it is, as the database has it. */
export type Known = Omit<store.MigrationRow, "phase"> & { phase: Phase };

/** What is known of objects that are brought over, and what that means for others. */
export interface State {
  /** Null where there is no previous store. Throws where it cannot be known. */
  read(): Known | null;
  /** Goes on to a phase; `more` happens in the same transaction. */
  move(phase: Phase, change?: store.MigrationChange, more?: () => void): void;
  /** Says that it cannot go on, or waits, and why. */
  stop(phase: "failed" | "waiting_space", error: AppError, change?: store.MigrationChange, more?: () => void): void;
  /** As the contract words it; null where there is nothing to tell. */
  present(): StoreMigration | null;
  /** Why the Drive is off; null while it is on. */
  pausedBy(): AppError | null;
  /** Whether files of the Drive are in the previous store that are not here yet. */
  isDriveElsewhere(): boolean;
  /** Objects and bytes that came since the rows were written, by bucket; for who looks on. */
  live: Map<string, { copied: number; bytes: number }>;
}

const isCode = (text: string): text is MigrationCode => Object.hasOwn(fail.table, text);

/** Phases in which objects are on their way. */
export const UNDER_WAY: readonly Phase[] = [
  "pending",
  "waiting_space",
  "copying",
  "catching_up",
  "verifying",
  "switching",
];

/** The reason that a row has, with its words. */
export function reasonOf({ error_code, error_params }: Pick<Known, "error_code" | "error_params">): AppError | null {
  if (error_code === null || !isCode(error_code)) return null;
  const params = parseJson(error_params ?? "{}");
  return fail(error_code, isRecord(params) ? params : {});
}

/** The state over its tables. `mayHoldDrive` says whether the previous store has a bucket of the Drive as far as its folder shows. */
export function createState({ db, log }: Pick<Needs, "db" | "log">, mayHoldDrive: () => boolean): State {
  /** A change whose outcome nobody knows: only a new start reads what is on disk. */
  let isLost = false;
  const live: State["live"] = new Map();

  function read(): Known | null {
    if (isLost) throw fail("objstore_migration_state_unknown_next_start");
    const row = db.remember("object-migration", () => store.findMigration(db));
    if (row === null) return null;
    const { phase, ...rest } = row;
    if (!isPhase(phase)) throw fail("objstore_migration_state_unknown");
    return { ...rest, phase };
  }

  function write(change: store.MigrationChange, more?: () => void): void {
    try {
      db.tx(() => {
        store.updateMigration(db, change);
        more?.();
      });
    } catch (error) {
      try {
        store.findMigration(db);
      } catch {
        isLost = true;
        log.error("how far objects were brought over could not be written down", { error });
      }
      throw error;
    }
  }

  function isDriveElsewhere(): boolean {
    const buckets = store.listBuckets(db);
    const drive = buckets.find(({ name }) => name === DRIVE_BUCKET);
    if (drive === undefined) return buckets.length === 0 && mayHoldDrive();
    return drive.is_whole === 0 || store.hasProblems(db, DRIVE_BUCKET);
  }

  function pausedBy(): AppError | null {
    let row: Known | null;
    try {
      row = read();
    } catch (error) {
      return asAppError(error);
    }
    if (row?.phase !== "failed" || !isDriveElsewhere()) return null;
    if (row.is_given_up === 1) return fail("objstore_drive_next_start");
    return row.error_code === "objstore_legacy_unavailable" ? reasonOf(row) : null;
  }

  return {
    live,
    read,
    isDriveElsewhere,
    pausedBy,
    move: (phase, change = {}, more) => write({ phase, error_code: null, error_params: null, ...change }, more),
    stop(phase, error, change = {}, more) {
      const code = isCode(error.code) ? error.code : "objstore_migration_failed";
      const params = code === error.code ? error.params : { reason: error.message };
      write({ phase, error_code: code, error_params: JSON.stringify(params), ...change }, more);
    },
    present() {
      const paused = pausedBy();
      const pause = paused === null ? {} : { ...describe(paused), drive_paused: true };
      let row: Known | null;
      try {
        row = read();
      } catch {
        return { phase: "failed", copied: 0, total: 0, bytes: 0, ...pause };
      }
      if (row === null) return null;
      const sums = { copied: 0, bytes: 0, total: 0 };
      for (const { name, copied, bytes, total } of store.listBuckets(db)) {
        sums.copied += copied + (live.get(name)?.copied ?? 0);
        sums.bytes += bytes + (live.get(name)?.bytes ?? 0);
        sums.total += total;
      }
      const reason = reasonOf(row);
      return {
        phase: row.phase,
        ...sums,
        ...(reason === null ? {} : describe(reason)),
        ...(row.legacy_bytes === null ? {} : { legacy_bytes: row.legacy_bytes }),
        ...(row.purge === "done" ? { purged: true } : {}),
        ...pause,
      };
    },
  };
}

const describe = ({ code, message, params }: AppError) => ({
  error: message,
  error_code: code,
  ...(Object.keys(params).length === 0 ? {} : { error_params: params }),
});

/** A database that cannot be read says nothing either. */
const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : fail("objstore_migration_state_unknown");
