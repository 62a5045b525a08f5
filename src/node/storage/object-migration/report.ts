import { toIso } from "../../../lib/clock.ts";
import type { MigrationReport } from "./contract.ts";
import type { RunWork } from "./run.ts";
import { type Known, UNDER_WAY } from "./state.ts";
import * as store from "./store.ts";

const SHOWN = 100;
const decoder = new TextDecoder();

function readRow({ state }: Pick<RunWork, "state">): Known | null {
  try {
    return state.read();
  } catch {
    return null;
  }
}

/** What may be done now. */
function mayOf(row: Known | null, problems: number): MigrationReport["may"] {
  if (row === null) return { retry: false, leave_out: false, give_up: false, purge: false };
  const isFailed = row.phase === "failed";
  const isUnderWay = UNDER_WAY.includes(row.phase) && row.phase !== "switching";
  return {
    retry: isFailed,
    leave_out: isFailed && problems > 0 && row.is_given_up === 0,
    give_up: isUnderWay || (isFailed && row.is_given_up === 0),
    purge: row.phase === "done" && row.purge === "none",
  };
}

/** The one thing to do now, where no message says it. */
function nextStep(row: Known, places: RunWork["places"]): string | null {
  switch (row.phase) {
    case "catching_up":
      return "Let the programs that still write to the previous store come to rest; it goes on by itself.";
    case "done":
      if (row.purge !== "none") return null;
      return `Give your programs the address below. When all of them work, remove the previous store in ${places.data}.`;
    default:
      return null;
  }
}

/** All that the screen shows. */
export function reportOf({ db, state, places }: Pick<RunWork, "db" | "state" | "places">): MigrationReport {
  const migration = state.present();
  const row = readRow({ state });
  const buckets = row === null ? [] : store.listBuckets(db);
  const problem_count = row === null ? 0 : store.countProblems(db);
  const problems = row === null ? [] : store.listProblems(db, SHOWN);
  return {
    migration,
    total_bytes: buckets.reduce((sum, { total_bytes }) => sum + total_bytes, 0),
    folder: places.data,
    buckets: buckets.map(({ name, copied, total, bytes, total_bytes, note }) => {
      const live = state.live.get(name);
      return {
        ...{ name, total, total_bytes, note },
        copied: copied + (live?.copied ?? 0),
        bytes: bytes + (live?.bytes ?? 0),
      };
    }),
    problem_count,
    problems: problems.map(({ bucket, key, reason }) => ({ bucket, object: decoder.decode(key), reason })),
    started_at: row === null ? null : toIso(row.started_at),
    switched_at: row === null || row.switched_at === null ? null : toIso(row.switched_at),
    freed_bytes: row?.purge === "done" ? row.freed_bytes : null,
    next_step: row === null ? null : nextStep(row, places),
    may: mayOf(row, problem_count),
  };
}
