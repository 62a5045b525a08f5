import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import {
  type Asker,
  fail,
  type Operation,
  type OperationError,
  type OperationEvent,
  type PlannedStep,
  type StepStatus,
} from "./contract.ts";
import { createLiveStream, type LiveStream, RESTART_GAP, readStored } from "./live.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

type Deps = Pick<Needs, "db" | "clock" | "ids" | "bus">;

export interface OperationInput {
  /** For example `app.install`. */
  kind: string;
  /** What it works on, for example an app id. */
  subject_id: string;
  /** For people: "Install Vaultwarden". */
  title: string;
  steps: PlannedStep[];
  /** Null when nobody asked: the node does it by itself. */
  by: Asker | null;
}

export interface Progress {
  percent: number | null;
  bytes_done: number | null;
  bytes_total: number | null;
  /** What else is to say of it. */
  text?: string;
}

/** What the worker of an operation reports through. Once the operation is over its calls do nothing. */
export interface OperationHandle {
  readonly id: string;
  /** Who asked for it. */
  readonly by: Asker | null;
  /** `title` names a step that is not in the plan; `text` says what it is busy with, `image` what is pulled for it. */
  step(step: string, status: StepStatus, words?: { title?: string; text?: string; image?: string }): void;
  progress(step: string, progress: Progress): void;
  log(text: string): void;
  /** Says that the program was started anew in the middle of this, and what comes of it. */
  restarted(text: string): void;
  done(): void;
  fail(error: OperationError): void;
}

/** Every long-running piece of work of this node. */
export interface OperationBook {
  begin(input: OperationInput): OperationHandle;
  /** Goes on with an operation that a crash cut off; null when it is unknown or over. */
  resume(id: string): OperationHandle | null;
  /** Fails what a crash cut off and nobody went on with, so that it does not look running for ever. */
  failAbandoned(): void;
  list(): Operation[];
  /** Throws `operation_not_found`. */
  get(id: string): Operation;
  /** Log of the newest operation on a subject, oldest line first; empty unless that operation failed. */
  lastWords(subjectId: string): { at: string; text: string }[];
  /** The events of an operation from number `from`, followed until its end. Throws `operation_not_found`. */
  read(id: string, from: number, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

const ABANDONED: OperationError = {
  code: "interrupted",
  message: "The node stopped while this was under way, and it could not be taken up again.",
  next_step: "Start it once more.",
};

interface Running {
  row: store.OperationRow;
  by: Asker | null;
  stream: LiveStream;
  plan: readonly PlannedStep[];
  step: string | null;
  percent: number | null;
}

function present(row: store.OperationRow, running: Running | undefined): Operation {
  const error: OperationError | null = row.error === null ? null : JSON.parse(row.error);
  return {
    id: row.id,
    kind: row.kind,
    subject_id: row.subject_id,
    title: row.title,
    status: row.status,
    step: running?.step ?? null,
    percent: running?.percent ?? null,
    started_at: toIso(row.started_at),
    finished_at: row.finished_at === null ? null : toIso(row.finished_at),
    error,
  };
}

function askerOf({ user_id, ip, purpose }: store.OperationRow): Asker | null {
  if (user_id === null || ip === null) return null;
  return purpose === null ? { user_id, ip } : { user_id, ip, purpose };
}

/** The operations of one node. */
export function createOperationBook(deps: Deps): OperationBook {
  const { db, clock, ids, bus } = deps;
  const running = new Map<string, Running>();

  const changed = (item: Running) => bus.emit("operation.changed", present(item.row, item));

  function finish(item: Running, status: "done" | "failed", error: OperationError | null): void {
    const row = { ...item.row, status, finished_at: clock.now(), error: error && JSON.stringify(error) };
    item.stream.add(error ? "error" : "done", error ? { error, text: error.message } : {}, true, () => {
      store.finishOperation(db, row);
      bus.emit("operation.changed", present(row, item));
    });
    item.stream.close();
    running.delete(row.id);
  }

  function handleOf(item: Running): OperationHandle {
    const isOver = () => running.get(item.row.id) !== item;
    const planned = (step: string | null) => item.plan.find((known) => known.step === step);
    const describe = (step: string) => ({
      step,
      title: planned(step)?.title ?? null,
      component: planned(step)?.component ?? null,
    });
    return {
      id: item.row.id,
      by: item.by,
      step(step, status, words = {}) {
        if (isOver()) return;
        item.step = step;
        item.percent = null;
        item.stream.add("step", { ...describe(step), status, ...words }, true);
        changed(item);
      },
      progress(step, progress) {
        if (isOver()) return;
        const isVisible = step !== item.step || Math.floor(progress.percent ?? -1) !== Math.floor(item.percent ?? -1);
        item.step = step;
        item.percent = progress.percent;
        item.stream.add("step", { ...describe(step), status: "running", ...progress }, false);
        // A pull reports many times a second; who watches all operations needs whole percents.
        if (isVisible) changed(item);
      },
      log(text) {
        const component = planned(item.step)?.component ?? null;
        if (!isOver()) item.stream.add("log", { step: item.step, component, text }, false);
      },
      restarted(text) {
        if (!isOver()) item.stream.add("restart", { step: item.step, text }, true);
      },
      done() {
        if (!isOver()) finish(item, "done", null);
      },
      fail(error) {
        if (!isOver()) finish(item, "failed", error);
      },
    };
  }

  /** Takes an operation of an earlier run up again. */
  function attach(row: store.OperationRow): Running {
    const stream = createLiveStream(deps, row.id, store.lastSeq(db, row.id) + RESTART_GAP);
    const plan = store.readPlan(db, row.id);
    const item: Running = { row, by: askerOf(row), stream, plan, step: null, percent: null };
    running.set(row.id, item);
    return item;
  }

  function find(id: string): store.OperationRow {
    const row = store.findOperation(db, id);
    if (!row) throw fail("operation_not_found", { id });
    return row;
  }

  return {
    begin({ steps, by, ...input }) {
      const row = {
        id: ids.next("op"),
        ...input,
        user_id: by?.user_id ?? null,
        ip: by?.ip ?? null,
        purpose: by?.purpose ?? null,
        status: "running" as const,
        started_at: clock.now(),
        finished_at: null,
        error: null,
      };
      const stream = createLiveStream(deps, row.id, 0);
      const item: Running = { row, by, stream, plan: steps, step: null, percent: null };
      db.tx(() => {
        store.insertOperation(db, row);
        item.stream.add("plan", { steps }, true);
        changed(item);
      });
      running.set(row.id, item);
      return handleOf(item);
    },
    resume(id) {
      const current = running.get(id);
      if (current) return handleOf(current);
      const row = store.findOperation(db, id);
      if (row?.status !== "running") return null;
      return handleOf(attach(row));
    },
    failAbandoned() {
      for (const row of store.listRunning(db)) {
        if (!running.has(row.id)) finish(attach(row), "failed", ABANDONED);
      }
    },
    list: () => store.listRecentOperations(db, clock.now() - hours(1)).map((row) => present(row, running.get(row.id))),
    get: (id) => present(find(id), running.get(id)),
    lastWords: (subjectId) => readLastWords(deps, subjectId),
    read(id, from, signal) {
      find(id);
      return running.get(id)?.stream.read(from, signal) ?? readFinished(deps, id, from);
    },
  };
}

/** Fails an operation that is not over, in the database of a program that does not run. */
export function failStopped(deps: Pick<Deps, "db" | "clock">, id: string, error: OperationError): void {
  const row = store.findOperation(deps.db, id);
  if (row?.status !== "running") return;
  const stream = createLiveStream(deps, id, store.lastSeq(deps.db, id) + RESTART_GAP);
  const end = { ...row, status: "failed" as const, finished_at: deps.clock.now(), error: JSON.stringify(error) };
  stream.add("error", { error, text: error.message }, true, () => store.finishOperation(deps.db, end));
}

/** More than any operation keeps of its containers' last lines. */
const LAST_WORDS = 2000;

function readLastWords({ db }: Deps, subjectId: string): { at: string; text: string }[] {
  const row = store.findNewestOperation(db, subjectId);
  if (row?.status !== "failed") return [];
  return store.readEvents(db, row.id, 0, LAST_WORDS).flatMap((json) => {
    const { type, text, time }: OperationEvent = JSON.parse(json);
    return type === "log" && text !== null ? [{ at: time, text }] : [];
  });
}

async function* readFinished({ db }: Deps, id: string, from: number): AsyncIterable<ServerEvent> {
  yield* readStored(db, id, from);
}
