import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import {
  fail,
  type Operation,
  type OperationError,
  type OperationEvent,
  type PlannedStep,
  type StepStatus,
} from "./contract.ts";
import { createLiveStream, type LiveStream, RESTART_GAP, toServerEvent } from "./live.ts";
import * as store from "./store.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "ids" | "bus">;

export interface OperationInput {
  /** For example `app.install`. */
  kind: string;
  /** What it works on, for example an app id. */
  subject_id: string;
  /** For people: "Install Vaultwarden". */
  title: string;
  steps: PlannedStep[];
}

export interface Progress {
  percent: number | null;
  bytes_done: number | null;
  bytes_total: number | null;
}

/** What the worker of an operation reports through. */
export interface OperationHandle {
  readonly id: string;
  step(step: string, status: StepStatus): void;
  progress(step: string, progress: Progress): void;
  log(text: string): void;
  done(): void;
  fail(error: OperationError): void;
}

/** Every long-running piece of work of this node. */
export interface Operations {
  start(input: OperationInput): OperationHandle;
  /** Goes on with an operation that a crash cut off; null when it is unknown or over. */
  resume(id: string): OperationHandle | null;
  list(): Operation[];
  /** Throws `operation_not_found`. */
  get(id: string): Operation;
  /** The events of an operation from number `from`, followed until its end. Throws `operation_not_found`. */
  read(id: string, from: number, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

interface Running {
  row: store.OperationRow;
  stream: LiveStream;
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

/** The operations of one node. */
export function createOperations(deps: Deps): Operations {
  const { db, clock, ids, bus } = deps;
  const running = new Map<string, Running>();

  const changed = (item: Running) => bus.emit("operation.changed", present(item.row, item));

  function finish(item: Running, status: "done" | "failed", error: OperationError | null): void {
    item.row = { ...item.row, status, finished_at: clock.now(), error: error && JSON.stringify(error) };
    db.tx(() => {
      item.stream.add(error ? "error" : "done", error ? { error, text: error.message } : {}, true);
      store.finishOperation(db, item.row);
      changed(item);
    });
    item.stream.close();
    running.delete(item.row.id);
  }

  function handleOf(item: Running): OperationHandle {
    return {
      id: item.row.id,
      step(step, status) {
        item.step = step;
        item.percent = null;
        item.stream.add("step", { step, status }, true);
        changed(item);
      },
      progress(step, progress) {
        item.step = step;
        item.percent = progress.percent;
        item.stream.add("step", { step, status: "running", ...progress }, false);
        changed(item);
      },
      log: (text) => void item.stream.add("log", { step: item.step, text }, false),
      done: () => finish(item, "done", null),
      fail: (error) => finish(item, "failed", error),
    };
  }

  function attach(row: store.OperationRow, lastSeq: number): Running {
    const item: Running = { row, stream: createLiveStream(deps, row.id, lastSeq), step: null, percent: null };
    running.set(row.id, item);
    return item;
  }

  function find(id: string): store.OperationRow {
    const row = store.findOperation(db, id);
    if (!row) throw fail("operation_not_found", { id });
    return row;
  }

  return {
    start({ steps, ...input }) {
      const row = {
        id: ids.next("op"),
        ...input,
        status: "running" as const,
        started_at: clock.now(),
        finished_at: null,
        error: null,
      };
      return db.tx(() => {
        store.insertOperation(db, row);
        const item = attach(row, 0);
        item.stream.add("plan", { steps }, true);
        changed(item);
        return handleOf(item);
      });
    },
    resume(id) {
      const current = running.get(id);
      if (current) return handleOf(current);
      const row = store.findOperation(db, id);
      if (row?.status !== "running") return null;
      return handleOf(attach(row, store.lastSeq(db, id) + RESTART_GAP));
    },
    list: () => store.listRecentOperations(db, clock.now() - hours(1)).map((row) => present(row, running.get(row.id))),
    get: (id) => present(find(id), running.get(id)),
    read(id, from, signal) {
      find(id);
      return running.get(id)?.stream.read(from, signal) ?? readFinished(deps, id, from);
    },
  };
}

async function* readFinished({ db }: Deps, id: string, from: number): AsyncIterable<ServerEvent> {
  for (const json of store.readEvents(db, id, from)) {
    const event: OperationEvent = JSON.parse(json);
    yield toServerEvent(event);
  }
}
