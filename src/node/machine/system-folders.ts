/** Folders at the top that are the system's own: what people keep does not belong there. */
const SYSTEM = new Set(["proc", "sys", "dev", "run", "boot", "etc", "usr", "bin", "sbin", "lib", "lib64"]);

/** Whether a whole path without links is the top folder itself or lies in one of the system's. What lies in `/dev/shm` is the users'. */
export const isSystemPath = (path: string): boolean =>
  path === "/" || (SYSTEM.has(path.split("/")[1] ?? "") && !path.startsWith("/dev/shm/"));
