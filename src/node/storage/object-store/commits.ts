import { createBodyBudget, type Take } from "../../../kernel/http/body-budget.ts";
import { type AppError, kernelFail } from "../../../kernel/http/errors.ts";
import type { Operation, Outcome } from "./operations.ts";
import { sizeOf } from "./size-of.ts";

/** Changes that are waited for on behalf of somebody, and what was written for them since they began to wait. */
interface Owner {
  waiting: Waiting[];
  /** In rows of the catalogue. */
  taken: number;
  /** What their last change took: what the next is taken for until the writer has looked at it. */
  each: number;
}

interface Waiting {
  owner: Owner;
  operation: Operation;
  done: (outcome: Outcome) => void;
  failed: (error: unknown) => void;
}

/** What came of the first of the changes that were to be written, and how many rows each took. The others come again. */
export interface Written {
  outcomes: readonly Outcome[];
  rows: readonly number[];
}

/**
 * Makes a change, in the turn of those it is made for; unless said otherwise that is the bucket. Throws `unavailable` where what waits
 * holds too much already: then nothing was done of it.
 */
export type Commit = (operation: Operation, whose?: string) => Promise<Outcome>;

const MAX_OPERATIONS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Rows that are written in one go: some tens of milliseconds. */
export const MAX_ROWS = 2_000;
/** What changes that wait may hold: of one owner as many as it has connections, each with the most that goes into a segment; and of all. */
const WAITING = { each: 64 * 1024 * 1024, all: 256 * 1024 * 1024 };
/** They make room. */
const NEVER_REFUSED: readonly Operation["kind"][] = ["drop", "abortUpload"];

const RETRY_AFTER_S = 1;
const CROWDED = "More changes wait for the object store than it can hold. Try again in a second.";
const crowded = (): AppError =>
  kernelFail(
    "unavailable",
    { reason: CROWDED, retry_after_s: RETRY_AFTER_S },
    { "retry-after": String(RETRY_AFTER_S) },
  );

function takeFor(operation: Operation, take: Take): void {
  if (NEVER_REFUSED.includes(operation.kind)) return;
  try {
    take(sizeOf(operation));
  } catch {
    throw crowded();
  }
}

function bucketOf(operation: Operation): string {
  if (operation.kind === "completeUpload") return operation.object.bucketId;
  return "bucketId" in operation ? operation.bucketId : "";
}

/**
 * Changes that come while others are being written share the next write, and so one wait for the disk. Of those who wait the one goes first
 * for whom the least was written since their crowd began, and who comes later begins where the others are: so whoever asks for much, as often
 * as they like, holds everybody else for the time of one write. Those of one owner stay in their order. What waits counts for its owner by what it
 * holds, as who asks for it waits for nothing else; what finds no room is refused before it waits.
 */
export function createCommits(write: (operations: Operation[]) => Promise<Written>): Commit {
  const owners = new Map<string, Owner>();
  const budget = createBodyBudget(WAITING);
  /** What the one who went last had taken before. */
  let floor = 0;
  let isWriting = false;

  function nextOwner(): Owner | null {
    let next: Owner | null = null;
    for (const owner of owners.values())
      if (owner.waiting.length > 0 && (next === null || owner.taken < next.taken)) next = owner;
    return next;
  }

  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    let [bytes, rows] = [0, 0];
    for (;;) {
      const owner = nextOwner();
      const [first] = owner?.waiting ?? [];
      if (owner === null || first === undefined) return batch;
      bytes += sizeOf(first.operation);
      rows += owner.each;
      const isFull = batch.length === MAX_OPERATIONS || bytes > MAX_BYTES || rows > MAX_ROWS;
      if (isFull && batch.length > 0) return batch;
      owner.waiting.shift();
      floor = owner.taken;
      owner.taken += owner.each;
      batch.push(first);
    }
  }

  /** Gives back the places of those that were not written, the last of them first. */
  function putBack(rest: readonly Waiting[]): void {
    for (const one of rest.toReversed()) one.owner.waiting.unshift(one);
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    const expected = batch.map(({ owner }) => owner.each);
    try {
      const { outcomes, rows } = await write(batch.map(({ operation }) => operation));
      if (outcomes.length === 0) throw new Error("the writer left its changes without an answer");
      putBack(batch.slice(outcomes.length));
      for (const [index, { owner, done }] of batch.entries()) {
        const outcome = outcomes[index];
        const taken = outcome === undefined ? 0 : (rows[index] ?? 1);
        owner.taken += taken - (expected[index] ?? 0);
        if (outcome === undefined) continue;
        owner.each = taken;
        done(outcome);
      }
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }

  async function run(): Promise<void> {
    isWriting = true;
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      await writeBatch(batch);
      for (const [name, { waiting }] of owners) if (waiting.length === 0) owners.delete(name);
    }
    floor = 0;
    isWriting = false;
  }

  const wait = (operation: Operation, whose: string): Promise<Outcome> =>
    new Promise((done, failed) => {
      const owner = owners.get(whose) ?? { waiting: [], taken: floor, each: 1 };
      owners.set(whose, owner);
      owner.waiting.push({ owner, operation, done, failed });
      if (!isWriting) void run();
    });

  return (operation, whose = bucketOf(operation)) =>
    budget(whose, (take) => {
      takeFor(operation, take);
      return wait(operation, whose);
    });
}
