import { tryProgram } from "../kernel/host/run-program.ts";

/** Runs a program to its end; `text` is what it printed on both streams. Code 127 when it is not installed. */
export async function runProgram(argv: string[], cwd: string): Promise<{ code: number; text: string }> {
  if (!Bun.which(argv[0] ?? "")) return { code: 127, text: `${argv[0]} is not installed\n` };
  const { code, stdout, stderr } = await tryProgram(argv, { cwd });
  return { code, text: stdout + stderr };
}
