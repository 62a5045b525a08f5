/** Whether an error says that a disk is full, or its owner's share of it: words of the system, of SQLite, and of PostgreSQL's server (53100). */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : null;
  return (
    code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT" || ("errno" in error && error.errno === "53100")
  );
}
