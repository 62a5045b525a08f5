import type { Store } from "../../../../kernel/db/store.ts";
import type { CommandResult } from "../../../../shared/agent-protocol/index.ts";
import { listUntold, markTold } from "./command-store.ts";

const MAX_RESULTS = 100;
/** Of outputs together: a heartbeat has to stay below a megabyte, quotes and all. */
const MAX_OUTPUT = 262_144;

/** What the panel of this membership has to hear of; what does not fit waits for the next heartbeat. */
export function collectResults(db: Store, membership: string): CommandResult[] {
  let room = MAX_OUTPUT;
  const results: CommandResult[] = [];
  for (const { id, status, output, error } of listUntold(db, membership, MAX_RESULTS)) {
    const size = Buffer.byteLength(output ?? "");
    if (status === "queued" || (size > room && results.length > 0)) break;
    room -= size;
    results.push({
      id,
      status,
      ...(output === null ? {} : { output }),
      ...(error === null ? {} : { error }),
    });
  }
  return results;
}

/** The panel answered a heartbeat that carried them. */
export function resultsHeard(db: Store, membership: string, results: readonly CommandResult[]): void {
  if (results.length === 0) return;
  db.tx(() => {
    for (const { id, status } of results) markTold(db, { membership, id }, status);
  });
}
