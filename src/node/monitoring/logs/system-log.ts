import { AppError } from "../../../kernel/http/errors.ts";
import type { Filter, Found } from "./filter.ts";
import { readLogFile } from "./log-file.ts";

interface Sources {
  journal(): Promise<Found>;
  files: readonly string[];
  now: number;
}

/**
 * What the system's own log has: the journal, and where that cannot be read the file of a syslog daemon. A file beside a journal is
 * not asked first, because it stays behind when its daemon is removed. Throws what the journal said when there is neither.
 */
export async function readSystemLog({ journal, files, now }: Sources, filter: Filter): Promise<Found> {
  try {
    return await journal();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "logs_unavailable") throw error;
    const page = await readLogFile(files, filter, now);
    if (page === null) throw error;
    return page;
  }
}
