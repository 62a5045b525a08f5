import { kernelFail } from "../../../kernel/http/errors.ts";
import { fail } from "./contract.ts";
import { dropCopies } from "./give-up.ts";
import { isLegacyRunning } from "./legacy-program.ts";
import type { By } from "./needs.ts";
import { isLegacyData } from "./places.ts";
import { finishPurge } from "./purge.ts";
import type { RunWork } from "./run.ts";
import { type Known, UNDER_WAY } from "./state.ts";
import * as store from "./store.ts";

/** Who decides that objects are brought over, or not. */
export interface Control {
  /** Begins where a previous store is, or goes on where it was cut off. */
  start(): void;
  /** Goes on where a store that did not answer runs again. */
  look(): Promise<void>;
  /** Throws `objstore_migration_phase`. */
  retry(by: By, leaveOut: boolean): Promise<void>;
  /** Throws `objstore_migration_phase`. */
  giveUp(by: By): Promise<void>;
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const refuse = (reason: string) => fail("objstore_migration_phase", { reason });

/** One run at a time; what is decided meanwhile waits for its end. */
export function createControl(work: RunWork): Control {
  const { db, bus, clock, log, places, state, signal } = work;
  let stopping: AbortController | null = null;
  let running = Promise.resolve();
  let hasStarted = false;

  function run(): void {
    if (stopping !== null || signal.aborted) return;
    const stop = new AbortController();
    stopping = stop;
    const end = () => stop.abort();
    signal.addEventListener("abort", end, { once: true });
    running = (async () => {
      // Most nodes never need it.
      const { runMigration } = await import("./run.ts");
      await runMigration(work, stop.signal);
    })()
      .catch((error: unknown) => {
        if (!stop.signal.aborted) log.error("bringing objects over ended early", { error });
      })
      .finally(() => {
        signal.removeEventListener("abort", end);
        stopping = null;
      });
  }

  async function halt(): Promise<void> {
    stopping?.abort();
    await running;
  }

  /** Something that goes on by itself until the program ends. */
  function goOn(what: Promise<void>): void {
    running = what.catch((error: unknown) => {
      if (!signal.aborted) log.error("the previous store could not be tidied away", { error });
    });
  }

  /** What a start makes of what was written down. */
  function resume(row: Known): void {
    const isFailed = row.phase === "failed";
    const isLeft = isFailed && row.is_given_up === 1 && !state.isDriveElsewhere();
    if (row.purge === "going") goOn(finishPurge(work));
    else if (isLeft) goOn(dropCopies(work));
    else if (isFailed || UNDER_WAY.includes(row.phase)) {
      if (isFailed) state.move("pending", { is_given_up: 0 });
      run();
    }
  }

  function needRow(): Known {
    const row = state.read();
    if (row === null) throw kernelFail("not_found");
    return row;
  }

  return {
    start() {
      if (hasStarted) return;
      hasStarted = true;
      try {
        if (state.read() === null && isLegacyData(places.data))
          db.tx(() => store.insertMigration(db, "pending", clock.now()));
        const row = state.read();
        if (row !== null) resume(row);
      } catch (error) {
        log.error("how far objects were brought over cannot be read", { error });
      }
    },
    async look() {
      const row = state.read();
      const isAway = row?.phase === "failed" && row.error_code === "objstore_legacy_unavailable";
      if (!isAway || stopping !== null || row.is_given_up === 1) return;
      if (!(await isLegacyRunning(work, places).catch(() => false))) return;
      if (state.read()?.phase !== "failed") return;
      state.move("pending");
      run();
    },
    async retry(by, leaveOut) {
      if (needRow().phase !== "failed") throw refuse("it has not failed.");
      await running;
      if (needRow().phase !== "failed") throw refuse("it goes on already.");
      const change = { is_given_up: 0, ...(leaveOut ? { leave_out: 1 } : {}) };
      state.move("pending", change, () => bus.emit("object_migration.retried", { ...by, leave_out: leaveOut }));
      run();
    },
    async giveUp(by) {
      const refuseLate = () => {
        const { phase, is_given_up } = needRow();
        if (phase === "switching" || phase === "done")
          throw refuse("the objects are here already. The previous store is as it was until it is removed.");
        if (phase === "failed" && is_given_up === 1) throw refuse("it was given up before.");
      };
      refuseLate();
      await halt();
      refuseLate();
      const why = state.isDriveElsewhere() ? "objstore_drive_next_start" : "objstore_migration_given_up";
      state.stop("failed", fail(why), { is_given_up: 1, leave_out: 0 }, () =>
        bus.emit("object_migration.given_up", by),
      );
      goOn(dropCopies(work));
    },
    settled: () => running,
    stop: halt,
  };
}
