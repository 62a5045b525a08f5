import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { docker } from "./docker.ts";
import { testEnv } from "./env.ts";
import { until } from "./until.ts";

/** What a command in the host printed on both streams and how it ended. */
export interface Ran {
  code: number;
  text: string;
}

/** A fresh Debian that booted systemd, in a container. */
export interface SystemdHost {
  /** Where its published port is reached from this machine; another one after a power cut. */
  readonly url: string;
  /** Runs a program in it; argv, no shell. */
  run(...argv: string[]): Promise<Ran>;
  /** As `run`, and throws unless it exits with 0; returns the text. */
  ok(...argv: string[]): Promise<string>;
  /** Copies a file or folder of this machine into it. */
  copyIn(from: string, to: string): void;
  /** The text of a file in it, without a program that reads it; null when there is none. For what is asked over and over. */
  peek(path: string): string | null;
  /** Every path that differs from the image (a folder also when only something in it does); what is in memory is left out. */
  changes(): Promise<string[]>;
  /** Ends everything at once and boots again. */
  cutPower(): Promise<void>;
  remove(): Promise<void>;
}

// Made by tests/setup.sh.
const NETWORK = "orrery-test-hosts";

/** Boots one that shows one port to this machine and has what is mounted (`FROM:TO`), and waits until systemd says that it runs (at most 60 s). */
export async function startSystemdHost(port = 8420, mounts: readonly string[] = []): Promise<SystemdHost> {
  const id = await docker(
    ...["run", "-d", "--cap-add", "SYS_ADMIN", "--security-opt", "seccomp=unconfined"],
    ...["--security-opt", "apparmor=unconfined", "--tmpfs", "/run", "--tmpfs", "/run/lock", "--tmpfs", "/tmp:exec"],
    ...["--cgroupns=host", "-v", "/sys/fs/cgroup:/sys/fs/cgroup:rw", "--stop-signal", "SIGRTMIN+3"],
    ...mounts.flatMap((mount) => ["-v", mount]),
    ...[
      "--network",
      NETWORK,
      "--hostname",
      "bare-host",
      "-p",
      `127.0.0.1::${port}`,
      "--label",
      "orrery-test=systemd-host",
      testEnv().systemd_image,
      "/sbin/init",
    ],
  );
  const run = async (...argv: string[]): Promise<Ran> => {
    const child = Bun.spawn(["docker", "exec", id, ...argv], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, text: out + error };
  };
  const findUrl = async () => `http://${await docker("port", id, `${port}/tcp`)}`;
  const findRoot = async () => `/proc/${await docker("inspect", "-f", "{{.State.Pid}}", id)}/root`;
  const booted = () =>
    until(async () => /running|degraded/.test((await run("systemctl", "is-system-running", "--wait")).text), {
      timeoutMs: 60_000,
      everyMs: 300,
      what: "systemd to run",
    });
  let url = await findUrl();
  let root = await findRoot();
  const host: SystemdHost = {
    get url() {
      return url;
    },
    run,
    async ok(...argv) {
      const { code, text } = await run(...argv);
      if (code !== 0) throw new Error(`${argv.join(" ")} exited with ${code}:\n${text}`);
      return text;
    },
    copyIn: (from, to) => cpSync(from, join(root, to), { recursive: true, verbatimSymlinks: true }),
    peek(path) {
      const file = join(root, path);
      return existsSync(file) ? readFileSync(file, "utf8") : null;
    },
    async changes() {
      return (await docker("diff", id)).split("\n").map((line) => line.slice(2));
    },
    async cutPower() {
      await docker("kill", "--signal", "KILL", id);
      await docker("start", id);
      await booted();
      [url, root] = [await findUrl(), await findRoot()];
    },
    remove: async () => void (await docker("rm", "-f", "-v", id)),
  };
  try {
    await booted();
  } catch (error) {
    const failed = await run("systemctl", "--failed", "--no-pager");
    await host.remove();
    throw new Error(`systemd did not come up:\n${failed.text}`, { cause: error });
  }
  return host;
}
