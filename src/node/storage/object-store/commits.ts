import type { Operation, Outcome } from "./operations.ts";

interface Waiting {
  operation: Operation;
  done: (outcome: Outcome) => void;
  failed: (error: unknown) => void;
}

const MAX_OPERATIONS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

const sizeOf = (operation: Operation): number =>
  operation.kind === "put" || operation.kind === "putPart" ? (operation.blob?.bytes?.length ?? 0) : 0;

/** Changes that come while others are being written share the next write, and so one wait for the disk. */
export function createCommits(write: (operations: Operation[]) => Promise<Outcome[]>) {
  let waiting: Waiting[] = [];
  let isWriting = false;

  function takeBatch(): Waiting[] {
    let bytes = 0;
    const beyond = waiting.findIndex(({ operation }, index) => {
      bytes += sizeOf(operation);
      return index === MAX_OPERATIONS || (index > 0 && bytes > MAX_BYTES);
    });
    const batch = beyond === -1 ? waiting : waiting.slice(0, beyond);
    waiting = beyond === -1 ? [] : waiting.slice(beyond);
    return batch;
  }

  async function run(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const outcomes = await write(batch.map(({ operation }) => operation));
        for (const [index, { done, failed }] of batch.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined) failed(new Error("the writer left a change without an answer"));
          else done(outcome);
        }
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  return (operation: Operation): Promise<Outcome> =>
    new Promise((done, failed) => {
      waiting.push({ operation, done, failed });
      if (!isWriting) void run();
    });
}
