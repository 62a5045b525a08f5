/** How a command ended: 127 when there is no such program, null when it was stopped for taking too long. */
export interface CommandResult {
  code: number | null;
  stdout: string;
}

/** Runs an argv list without input for at most `timeoutMs`. */
export type RunCommand = (argv: readonly string[], timeoutMs: number) => Promise<CommandResult>;

/** A disk's whole log is some 100 kB; what is longer is not one. */
const MAX_OUTPUT = 4_000_000;
/** Where administrators' programs are when the caller's own path leaves them out. */
const EXTRA_PATHS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

function findProgram(name: string): string | null {
  if (name.includes("/")) return name;
  return Bun.which(name) ?? Bun.which(name, { PATH: EXTRA_PATHS.join(":") });
}

/** Runs real programs of the host. */
export const runCommand: RunCommand = async ([program = "", ...rest], timeoutMs) => {
  const path = findProgram(program);
  if (path === null) return { code: 127, stdout: "" };
  try {
    const child = Bun.spawn([path, ...rest], {
      stdio: ["ignore", "pipe", "ignore"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: MAX_OUTPUT,
    });
    const [stdout, code] = await Promise.all([child.stdout.text(), child.exited]);
    return { code: child.signalCode === null ? code : null, stdout };
  } catch {
    return { code: 127, stdout: "" };
  }
};
