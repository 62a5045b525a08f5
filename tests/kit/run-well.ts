/** Runs a program to its end; what it printed. Throws with its complaint. */
export async function runWell(...argv: string[]): Promise<string> {
  const child = Bun.spawn(argv, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")}: ${error.trim()}`);
  return out.trim();
}
