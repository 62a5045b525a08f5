import { AppError } from "../../../kernel/http/errors.ts";
import type { LogPage } from "./contract.ts";
import type { Filter } from "./filter.ts";
import { readLogFile } from "./log-file.ts";

interface Sources {
  journal(): Promise<LogPage>;
  files: readonly string[];
  now: number;
}

/**
 * What the system's own log has: the journal, and where that cannot be read the file of a syslog daemon. A file beside a journal is
 * not asked first, because it stays behind when its daemon is removed. Throws what the journal said when there is neither.
 */
export async function readSystemLog({ journal, files, now }: Sources, filter: Filter): Promise<LogPage> {
  try {
    return await journal();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "logs_unavailable") throw error;
    const page = await readLogFile(files, filter, now);
    if (page === null) throw error;
    return page;
  }
}
