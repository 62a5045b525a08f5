import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.ts";

/** A Docker Engine that belongs to one test, on a disk of its own: it may be killed and filled up. Needs root. */
export interface OwnEngine {
  socket: string;
  /** Its disk. */
  root: string;
  docker(...args: string[]): Promise<string>;
  /** Ends it by that signal and waits for the end. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  start(): Promise<void>;
  /** Ends it for good and takes its disk away. */
  dispose(): Promise<void>;
}

async function run(...argv: string[]): Promise<string> {
  const child = Bun.spawn(argv, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")}: ${error.trim()}`);
  return out.trim();
}

// Its own, because `docker0` belongs to the machine's engine.
const BRIDGE = "orrery-test0";

async function makeBridge(): Promise<void> {
  await run("ip", "link", "add", BRIDGE, "type", "bridge").catch(() => "it is there from an earlier run");
  await run("ip", "addr", "replace", "172.31.254.1/24", "dev", BRIDGE);
  await run("ip", "link", "set", BRIDGE, "up");
}

/**
 * Starts an engine beside the machine's own, with `sizeMb` of disk (in memory) and no firewall rules: with a bridge of its own, or
 * without any in the network namespace of that name.
 */
export async function startOwnEngine(sizeMb: number, namespace?: string): Promise<OwnEngine> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-engine-"));
  const [root, exec, socket] = [join(folder, "root"), join(folder, "exec"), join(folder, "docker.sock")];
  mkdirSync(root);
  await run("mount", "-t", "tmpfs", "-o", `size=${sizeMb}m`, "tmpfs", root);
  if (namespace === undefined) await makeBridge();
  let child: Bun.Subprocess | null = null;
  const docker = (...args: string[]) => run("docker", "-H", `unix://${socket}`, ...args);

  async function start(): Promise<void> {
    // Where nobody reaps orphans a killed containerd still counts as alive, and the next engine would wait for it.
    for (const file of [join(exec, "containerd", "containerd.pid"), join(folder, "docker.pid")])
      rmSync(file, { force: true });
    const log = openSync(join(folder, "dockerd.log"), "a");
    child = Bun.spawn(
      [
        // `ip netns exec` would hide the control groups.
        ...(namespace === undefined ? [] : ["nsenter", `--net=/var/run/netns/${namespace}`]),
        ...[
          "dockerd",
          "--data-root",
          root,
          "--exec-root",
          exec,
          "--pidfile",
          join(folder, "docker.pid"),
          "-H",
          `unix://${socket}`,
        ],
        // No `--default-address-pool`: with one an engine that starts again on its old data deletes the link `docker0`,
        // whoever it belongs to. Without, it takes addresses that no route of the machine leads to.
        ...[
          `--bridge=${namespace === undefined ? BRIDGE : "none"}`,
          "--iptables=false",
          "--ip6tables=false",
          "--storage-driver=overlay2",
        ],
      ],
      { stdin: "ignore", stdout: log, stderr: log },
    );
    await until(() => existsSync(socket) && docker("version").then(() => true), {
      timeoutMs: 60_000,
      what: "the engine",
    });
  }

  async function stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    child?.kill(signal);
    await child?.exited;
  }

  await start();
  return {
    socket,
    root,
    docker,
    start,
    stop,
    async dispose() {
      await stop("SIGTERM");
      await until(() => run("umount", root).then(() => true), { what: "an idle disk" });
      // Another engine of a test may have taken it away already.
      if (namespace === undefined) await run("ip", "link", "delete", BRIDGE).catch(() => "it is gone");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
