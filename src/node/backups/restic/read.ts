import { toIso } from "../../../lib/clock.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { closeOperation, type Failure, roomFor } from "../backups/index.ts";
import { refuse } from "./failures.ts";
import { endHeld, openSession } from "./held.ts";
import type { Own } from "./needs.ts";
import { getRepository, openingOf } from "./repositories.ts";
import { markRead, type ResticRow } from "./store.ts";

const READ = "read";

async function readIndex(own: Own, row: ResticRow, op: OperationHandle): Promise<void> {
  const session = await openSession(own, row.id, openingOf(own, row));
  try {
    for await (const { done, total } of session.sync(await roomFor(own))) {
      const percent = total === 0 ? null : Math.floor((100 * done) / total);
      op.progress(READ, { percent, bytes_done: done, bytes_total: total });
    }
  } finally {
    session.end();
  }
  // Folders that it holds may be of a state that is gone.
  endHeld(own, row.id);
  own.db.tx(() => markRead(own.db, row.id, toIso(own.clock.now())));
}

/** Why it was not read; the sentence of an answer ends with what to do. */
function explain(error: unknown, path: string): Failure {
  const said = refuse(error, path);
  const message = said instanceof Error ? said.message : String(said);
  const code = said instanceof Error && "code" in said ? String(said.code) : "restic_failed";
  return { code, message, next_step: "See to that, then read it again." };
}

/** Begins to read what is in a repository, or says which work does already. Throws `restic_not_found`. */
export function beginRead(own: Own, by: Asker, id: string): { op_id: string } {
  const row = getRepository(own, id);
  const begun = own.reading.get(id);
  if (begun) return { op_id: begun.op_id };
  const op = own.operations.begin({
    kind: "restic.read",
    subject_id: id,
    title: "Read a restic repository",
    steps: [{ step: READ, title: "Read its snapshots and its index" }],
    by,
  });
  const run = async (): Promise<void> => {
    let failure: Failure | null = null;
    try {
      op.step(READ, "running");
      await readIndex(own, row, op);
      op.step(READ, "done");
    } catch (error) {
      failure = explain(error, row.path);
      op.step(READ, "failed");
    } finally {
      own.reading.delete(id);
    }
    closeOperation(op, failure);
  };
  const done = run();
  own.reading.set(id, { op_id: op.id, done });
  return { op_id: op.id };
}
