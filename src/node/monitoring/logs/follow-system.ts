import { seconds } from "../../../lib/duration.ts";
import { readLines } from "../../../lib/lines.ts";
import type { LogLine } from "./contract.ts";
import { createResume } from "./follow-container.ts";
import { followFile } from "./follow-file.ts";
import { argvToFollow, toLine, whyNot } from "./journal.ts";
import type { Own } from "./needs.ts";
import { SYSTEM } from "./sources.ts";

const REOPEN_MS = seconds(5);

/** The file of a syslog daemon, up to where it cannot be read any more. */
async function* untilBroken(...[own, since, signal]: Parameters<typeof followFile>): AsyncIterable<LogLine> {
  try {
    yield* followFile(own, since, signal);
  } catch {
    // A disk that fails, a file system that went away: it is tried again, and the other logs go on.
  }
}

/**
 * Follows the system's own log from a moment on until `signal` aborts: the journal, and where that cannot be read the file of a syslog
 * daemon. It is tried again for as long as somebody follows.
 */
export async function* followSystem(
  own: Pick<Own, "clock" | "system">,
  since: string,
  signal: AbortSignal,
): AsyncIterable<LogLine> {
  const resume = createResume(since);
  while (!signal.aborted) {
    try {
      const journal = own.system.open(argvToFollow(resume.last()), signal);
      for await (const json of readLines(journal.output)) {
        const line = toLine(json);
        if (line !== null && (line.at === null || resume.isNew(line.at))) yield { from: SYSTEM, ...line };
      }
      const end = await journal.ended;
      if (signal.aborted) return;
      if (whyNot(end) !== null) yield* untilBroken(own, resume.last(), signal);
    } catch {
      // There is no journalctl, which never comes by itself.
      yield* untilBroken(own, resume.last(), signal);
    }
    resume.again();
    await own.clock.sleep(REOPEN_MS, signal);
  }
}
