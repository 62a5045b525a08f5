/** Runs a program to its end; what it printed. Throws with its complaint. */
async function run(...argv: string[]): Promise<string> {
  const child = Bun.spawn(argv, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")}: ${error.trim()}`);
  return out.trim();
}

/** Makes a btrfs of that many megabytes (109 or more) in a new file and mounts it at a folder; `umount` takes it away. Needs root. */
export async function mountBtrfs(file: string, folder: string, sizeMb: number): Promise<void> {
  await run("truncate", "-s", `${sizeMb}M`, file);
  await run("mkfs.btrfs", "-q", "-m", "single", "-d", "single", file);
  await run("mount", "-o", "loop", file, folder);
}

/** Names below which a btrfs has subvolumes, besides itself. */
export const listSubvolumes = async (folder: string): Promise<string[]> =>
  (await run("btrfs", "subvolume", "list", folder)).split("\n").flatMap((line) => / path (.+)$/.exec(line)?.[1] ?? []);
