import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { type Backup, fail } from "./contract.ts";
import { closeOperation, codeOf, explain, type Failure } from "./failures.ts";
import { indexedBytes, isRead, writeIndexes } from "./file-index.ts";
import type { Own } from "./needs.ts";
import { listSearchable } from "./search.ts";

const STEP = "read";
/** Names of files in backups take no more of the disk than that. */
const MOST_BYTES = 1_000_000_000;

const NO_ROOM = "Names of files fill the room that is meant for them, so the oldest backups stay unread.";

/** Reads one backup after the other, the newest first; one that cannot be read is told of, and the others go on. */
async function readEach(
  own: Own,
  backups: readonly Backup[],
  op: OperationHandle,
  signal: AbortSignal,
): Promise<Failure | null> {
  const away = new Set<string>();
  let failure: Failure | null = null;
  for (const [at, { id, target, started_at }] of backups.entries()) {
    if (signal.aborted || own.signal.aborted) break;
    if (isRead(own, id) || away.has(target)) continue;
    if (indexedBytes(own) > MOST_BYTES) {
      op.log(NO_ROOM);
      break;
    }
    const tell = (percent: number): void =>
      op.progress(STEP, {
        percent: Math.floor((100 * at + percent) / backups.length),
        bytes_done: at,
        bytes_total: backups.length,
      });
    tell(0);
    try {
      const how = { urgency: "aside", signal } as const;
      await writeIndexes(own, id, target, how, (done, total) => tell(total === 0 ? 0 : (100 * done) / total));
    } catch (error) {
      if (signal.aborted) break;
      failure = explain(error);
      op.log(`The backup of ${started_at} could not be read: ${failure.message}`);
      if (codeOf(error) === "target_away") away.add(target);
    }
  }
  return failure;
}

/** Begins to read all backups that were not read yet, so that they can be searched; null where there is none. Throws `backup_busy`. */
export function beginReadAll(own: Own, by: Asker): { op_id: string | null } {
  const { browse } = own;
  if (browse.all) return { op_id: browse.all.op_id };
  const unread = listSearchable(own).filter(({ id, damage }) => damage === null && !isRead(own, id));
  if (unread.length === 0) return { op_id: null };
  if (browse.reading.size > 0) throw fail("backup_busy");
  const title = unread.length === 1 ? "Read what stands in one backup" : `Read what stands in ${unread.length} backups`;
  const op = own.operations.begin({
    kind: "backup.read_all",
    subject_id: "backups",
    title,
    steps: [{ step: STEP, title }],
    by,
  });
  const ending = new AbortController();
  browse.all = { op_id: op.id, ending };
  const run = async (): Promise<void> => {
    op.step(STEP, "running");
    const failure = await readEach(own, unread, op, ending.signal).catch(explain);
    op.step(STEP, failure === null ? "done" : "failed");
    browse.all = null;
    browse.reading.delete(STEP);
    closeOperation(op, failure);
  };
  browse.reading.set(STEP, { op_id: op.id, done: run() });
  return { op_id: op.id };
}

/** Ends that at once; what was read stays known. */
export function stopReadAll({ browse }: Pick<Own, "browse">): void {
  browse.all?.ending.abort();
}
