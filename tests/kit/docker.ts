/** What `docker` printed; throws with its error text when it failed. */
export async function docker(...args: string[]): Promise<string> {
  const child = Bun.spawn(["docker", ...args], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`docker ${args.join(" ")}: ${error.trim()}`);
  return out.trim();
}

/** Names of everything on the engine that carries a label, by kind; an empty list means nothing is left. */
export async function labelled(
  label: string,
): Promise<{ containers: string[]; volumes: string[]; networks: string[] }> {
  const filter = `label=${label}`;
  const [containers, volumes, networks] = await Promise.all([
    docker("ps", "-a", "--filter", filter, "--format", "{{.Names}}"),
    docker("volume", "ls", "--filter", filter, "--format", "{{.Name}}"),
    docker("network", "ls", "--filter", filter, "--format", "{{.Name}}"),
  ]);
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  return { containers: lines(containers), volumes: lines(volumes), networks: lines(networks) };
}

/** Removes everything that carries a label; for cleaning up after a test only. */
export async function removeLabelled(label: string): Promise<void> {
  const found = await labelled(label);
  if (found.containers.length > 0) await docker("rm", "-f", ...found.containers);
  if (found.volumes.length > 0) await docker("volume", "rm", "-f", ...found.volumes);
  if (found.networks.length > 0) await docker("network", "rm", ...found.networks);
}

/**
 * Makes the engine forget an image of the tests, so that the next install pulls it. Containers of it that a run left behind
 * when it was cut off go with it: they would hold its layers, and the next install would pull nothing.
 */
export async function forgetImage(reference: string): Promise<void> {
  const id = await docker("image", "inspect", "--format", "{{.Id}}", reference).catch(() => "");
  if (id === "") return;
  const holders = await docker("ps", "-aq", "--filter", `ancestor=${id}`);
  if (holders !== "") await docker("rm", "-f", ...holders.split("\n"));
  await docker("rmi", "-f", id);
}
