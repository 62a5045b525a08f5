/** Runs a program to its end; `text` is what it printed on both streams. Code 127 when it is not installed. */
export async function runProgram(argv: string[], cwd: string): Promise<{ code: number; text: string }> {
  if (!Bun.which(argv[0] ?? "")) return { code: 127, text: `${argv[0]} is not installed\n` };
  const child = Bun.spawn(argv, { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, text: out + err };
}
