import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runWell } from "./run-well.ts";
import { type Disk, type DiskKind, mountDisk } from "./snapshot-disks.ts";
import { until } from "./until.ts";

/** A Docker Engine that belongs to one test, on a disk of its own: it may be killed and filled up. Needs root. */
export interface OwnEngine {
  socket: string;
  /** Where its disk is mounted. */
  root: string;
  /** Names of the snapshots on its disk, and of subvolumes; memory has none. */
  snapshots(): Promise<string[]>;
  /** Of the program that runs now. */
  pid(): number;
  docker(...args: string[]): Promise<string>;
  /** Ends it by that signal and waits for the end. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  start(): Promise<void>;
  /** Ends it for good and takes its disk away. */
  dispose(): Promise<void>;
}

/** A bridge of its own: `docker0` belongs to the machine's engine, and engines of other tests give out the same addresses. */
async function makeBridge(): Promise<string> {
  const name = `orrery-t${process.pid}`;
  await runWell("ip", "link", "add", name, "type", "bridge").catch(() => "it is there from an earlier run");
  await runWell("ip", "addr", "replace", `172.31.${process.pid % 250}.1/24`, "dev", name);
  await runWell("ip", "link", "set", name, "up");
  return name;
}

async function mountMemory(folder: string, sizeMb: number): Promise<Disk> {
  await runWell("mount", "-t", "tmpfs", "-o", `size=${sizeMb}m`, "tmpfs", folder);
  return { snapshots: async () => [], dispose: async () => void (await runWell("umount", folder)) };
}

interface OwnEngineOptions {
  /** In that network namespace, and without a bridge. */
  namespace?: string;
  /** What its disk is: memory where it is left out. */
  disk?: "memory" | DiskKind;
  /** Where its folder is made: units of systemd see none of what is temporary. */
  parent?: string;
}

/** Starts an engine beside the machine's own, with `sizeMb` of disk and no firewall rules, on a bridge of its own. */
export async function startOwnEngine(
  sizeMb: number,
  { namespace, disk = "memory", parent = tmpdir() }: OwnEngineOptions = {},
): Promise<OwnEngine> {
  const folder = mkdtempSync(join(parent, "orrery-engine-"));
  const [root, exec, socket] = [join(folder, "root"), join(folder, "exec"), join(folder, "docker.sock")];
  mkdirSync(root);
  const mounted = await (disk === "memory"
    ? mountMemory(root, sizeMb)
    : mountDisk(disk, join(folder, "disk.img"), root, sizeMb));
  const bridge = namespace === undefined ? await makeBridge() : "none";
  let child: Bun.Subprocess | null = null;
  const docker = (...args: string[]) => runWell("docker", "-H", `unix://${socket}`, ...args);

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
          `--bridge=${bridge}`,
          "--iptables=false",
          "--ip6tables=false",
          `--storage-driver=${disk === "zfs" ? "zfs" : "overlay2"}`,
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

  async function clear(): Promise<void> {
    const containers = await docker("ps", "-aq");
    if (containers !== "") await docker("rm", "-f", ...containers.split("\n"));
    await docker("network", "prune", "-f");
  }

  await start();
  return {
    socket,
    root,
    snapshots: () => mounted.snapshots(),
    pid: () => child?.pid ?? 0,
    docker,
    start,
    stop,
    async dispose() {
      // The links of its networks would stay, and with them the addresses, of which the machine has some thirty.
      await clear().catch(() => "it does not answer any more");
      await stop("SIGTERM");
      await until(() => mounted.dispose().then(() => true), { what: "an idle disk" });
      if (namespace === undefined) await runWell("ip", "link", "delete", bridge).catch(() => "it is gone");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
