import { createGate } from "../../../lib/gate.ts";
import { readContainerLog } from "./container-log.ts";
import type { Filter, Found } from "./filter.ts";
import { readJournal } from "./journal.ts";
import type { Own } from "./needs.ts";
import { readSystemLog } from "./system-log.ts";

/** How the logs of this server are read, as many at a time as it bears. */
export interface LogReaders {
  /** The journal, of these units or of all where there are none. */
  journal(filter: Filter, units: readonly string[], left: AbortSignal): Promise<Found>;
  /** The journal, or the file of a syslog daemon where there is none. */
  system(filter: Filter, left: AbortSignal): Promise<Found>;
  container(name: string, filter: Filter, left: AbortSignal): Promise<Found>;
}

/** Each reader is a program of its own that may need a whole core. */
const AT_A_TIME = 2;

/** Readers that share their places; what they throw is what `readJournal`, `readSystemLog` and `readContainerLog` do. */
export function createReaders(own: Own): LogReaders {
  const enter = createGate(AT_A_TIME);
  // Up to a million lines go through this program: side by side, all would run out of time.
  const enterContainer = createGate(AT_A_TIME);
  const until = (left: AbortSignal): AbortSignal => AbortSignal.any([own.signal, left]);
  const journal: LogReaders["journal"] = (filter, units, left) =>
    enter(() => readJournal({ run: own.system.run, signal: until(left) }, filter, units));
  return {
    journal,
    system: (filter, left) =>
      readSystemLog(
        { journal: () => journal(filter, [], left), files: own.system.files, now: own.clock.now() },
        filter,
      ),
    container: (name, filter, left) => enterContainer(() => readContainerLog(own, name, filter, until(left))),
  };
}
