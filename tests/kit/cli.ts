import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./env.ts";

/** How a run of the admin command ended. */
export interface CliRun {
  code: number;
  out: string;
  error: string;
}

/** The admin command with a home of its own. */
export interface Cli {
  home: string;
  /** The script, and the environment that `run` gives it. */
  path: string;
  env: Record<string, string>;
  /** Runs `orrery ARGS` with `input` on standard input. */
  run(args: readonly string[], input?: string, env?: Record<string, string>): Promise<CliRun>;
  dispose(): void;
}

/** `shell` is the interpreter, so that another sh or awk can be put to the test. */
export function createCli(url: string, shell: readonly string[] = ["sh"]): Cli {
  const home = mkdtempSync(join(tmpdir(), "orrery-cli-"));
  const path = join(ROOT, "embed/admin/orrery");
  const base = { PATH: process.env["PATH"] ?? "", HOME: home, ORRERY_URL: url };
  return {
    home,
    path,
    env: base,
    async run(args, input = "", env = {}) {
      const child = Bun.spawn([...shell, path, ...args], {
        env: { ...base, ...env },
        stdin: new TextEncoder().encode(input),
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      return { code: await child.exited, out, error };
    },
    dispose: () => rmSync(home, { recursive: true, force: true }),
  };
}
