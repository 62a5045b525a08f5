import type { ProgramEnd, ProgramOptions, RunProgram } from "../../../kernel/host/run-program.ts";
import type { Clock } from "../../../lib/clock.ts";
import { cutText } from "../../../lib/cut-text.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Host } from "../../machine/index.ts";
import type { HostWork } from "./host-work.ts";
import { lastLines } from "./last-lines.ts";
import { type HostPackage, hostFail, type VerbOutput } from "./verbs.ts";

/** What whoever changes packages holds meanwhile: dpkg's own, and apt's for its lists and what it fetches. */
const LOCKS = [
  "/var/lib/dpkg/lock-frontend",
  "/var/lib/dpkg/lock",
  "/var/lib/apt/lists/lock",
  "/var/cache/apt/archives/lock",
];
/** Nobody waits longer for another program than this, and apt itself a little for one that came in between. */
const LOCK_WAIT_MS = seconds(30);
const LOCK_LOOK_MS = seconds(1);
const APT_LOCK_WAIT_S = 5;
const LOCKED =
  /Could not get lock|Unable to acquire the dpkg frontend lock|Unable to lock (the |directory)|is another process using it/;
const UNKNOWN = /Unable to locate package|has no installation candidate|E: Failed to fetch/;
const BROKEN_OFF = /dpkg was interrupted/;

const QUESTION_MS = seconds(60);
const LISTS_MS = minutes(5);
const CHANGE_MS = minutes(30);
/** dpkg left in the middle of a package is worse than a long wait. */
const GRACE_MS = minutes(2);

/** The whole environment of the programs: nobody is asked anything, no service is restarted unasked, all speak English. */
const ENV = {
  HOME: "/root",
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  DEBIAN_FRONTEND: "noninteractive",
  APT_LISTCHANGES_FRONTEND: "none",
  NEEDRESTART_MODE: "l",
  UCF_FORCE_CONFFOLD: "1",
};
const APT = ["apt-get", "--quiet", "--yes", "--option", "Dpkg::Use-Pty=0"];
/** A source that does not answer is given up. */
const NETWORK = ["http", "https"].flatMap((kind) => ["--option", `Acquire::${kind}::Timeout=30`]);
const LOCK_TIMEOUT = ["--option", `DPkg::Lock::Timeout=${APT_LOCK_WAIT_S}`];
/** What an administrator has written into a configuration file stays. */
const KEEP_FILES = ["--option", "Dpkg::Options::=--force-confdef", "--option", "Dpkg::Options::=--force-confold"];

/** Fields that dpkg-query fills in, a tab between. */
const FORMAT = `--showformat=${["Package", "db:Status-Status", "Version"].map((name) => `\${${name}}`).join("\\t")}\\n`;

/** What dpkg knows and does not have. All else takes room and has to be removed: half unpacked, not set up, installed. */
const ABSENT = new Set(["not-installed", "config-files"]);
const isWhole = (status: string): boolean => status === "installed" || status.startsWith("triggers-");

/** A package of which there is something; whole when it is installed and set up. */
interface Present {
  isWhole: boolean;
  version: string;
}

interface Deps {
  run: RunProgram;
  host: Pick<Host, "isLocked">;
  clock: Pick<Clock, "monotonic" | "sleep">;
}

export interface Packages {
  state(packages: readonly HostPackage[]): Promise<VerbOutput<"packages.state">>;
  install(packages: readonly HostPackage[], work: HostWork): Promise<VerbOutput<"packages.install">>;
  remove(packages: readonly HostPackage[], work: HostWork): Promise<VerbOutput<"packages.remove">>;
}

/** The packages of this server, by apt. One change at a time: apt allows no more. */
export function createPackages({ run, host, clock }: Deps): Packages {
  let isChanging = false;

  const ask = (argv: readonly string[]) => run(argv, { timeoutMs: QUESTION_MS, env: ENV });
  const change = (argv: readonly string[], timeoutMs: number, { onLine }: HostWork) => {
    const options: ProgramOptions = { timeoutMs, graceMs: GRACE_MS, env: ENV, onLine, maxBytes: 1_048_576 };
    return run(argv, options);
  };

  /** What there is of these, whole or half, with its version; null where there is no dpkg. */
  async function findPresent(packages: readonly string[]): Promise<Map<string, Present> | null> {
    // Ends with 1 when one of them was never heard of.
    const { code, stdout } = await ask(["dpkg-query", "--show", FORMAT, "--", ...packages]);
    if (code === 127) return null;
    const rows = stdout.split("\n").map((line) => line.split("\t"));
    return new Map(
      rows.flatMap(([name = "", status = "", version = ""]) =>
        name === "" || ABSENT.has(status) ? [] : [[name, { isWhole: isWhole(status), version }] as const],
      ),
    );
  }

  /** What is installed of these, with its version; null where there is no dpkg. */
  async function findInstalled(packages: readonly string[]): Promise<Map<string, string> | null> {
    const present = await findPresent(packages);
    const whole = present && [...present].filter(([, one]) => one.isWhole);
    return whole && new Map(whole.map(([name, { version }]) => [name, version]));
  }

  /** What the sources offer of these, with its version; null where there is no apt. */
  async function findOffered(packages: readonly string[]): Promise<Map<string, string> | null> {
    const { code, stdout } = await ask(["apt-cache", "policy", "--", ...packages]);
    if (code === 127) return null;
    const offered = new Map<string, string>();
    let name = "";
    for (const line of stdout.split("\n")) {
      name = /^(\S+):$/.exec(line)?.[1] ?? name;
      const version = /^ {2}Candidate: (\S+)$/.exec(line)?.[1];
      if (version !== undefined && version !== "(none)") offered.set(name, version);
    }
    return offered;
  }

  async function changeAlone<T>(
    packages: readonly HostPackage[],
    { signal }: HostWork,
    task: (before: Map<string, Present>) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const isFree = () => !isChanging && !host.isLocked(LOCKS);
    const end = clock.monotonic() + LOCK_WAIT_MS;
    while (!isFree()) {
      if (clock.monotonic() >= end) throw hostFail("apt_locked");
      await clock.sleep(LOCK_LOOK_MS, signal);
      signal?.throwIfAborted();
    }
    isChanging = true;
    try {
      const before = await findPresent(packages);
      if (before === null) throw hostFail("no_package_manager", { packages: packages.join(", ") });
      return await task(before);
    } finally {
      isChanging = false;
    }
  }

  async function fetchLists(work: HostWork): Promise<void> {
    const end = await change([...APT, ...NETWORK, ...LOCK_TIMEOUT, "update"], LISTS_MS, work);
    // A source that does not answer is no reason to give up: what is wanted may come from another one.
    if (end.code !== 0 && LOCKED.test(end.stderr)) throw hostFail("apt_locked");
  }

  /** Runs apt; what an earlier run left half done (a power cut) is finished first, once. */
  async function runApt(words: readonly string[], work: HostWork): Promise<ProgramEnd> {
    const argv = [...APT, ...NETWORK, ...LOCK_TIMEOUT, ...KEEP_FILES, ...words];
    const end = await change(argv, CHANGE_MS, work);
    if (end.code === 0 || !BROKEN_OFF.test(end.stderr)) return end;
    await change(["dpkg", "--force-confdef", "--force-confold", "--configure", "--pending"], CHANGE_MS, work);
    return change(argv, CHANGE_MS, work);
  }

  return {
    async state(packages) {
      const [installed, offered] = await Promise.all([findInstalled(packages), findOffered(packages)]);
      const isApt = installed !== null && offered !== null;
      return {
        manager: isApt ? "apt" : null,
        locked: isApt && (isChanging || host.isLocked(LOCKS)),
        packages: packages.map((name) => ({
          name,
          installed: installed?.get(name) ?? null,
          candidate: offered?.get(name) ?? null,
        })),
      };
    },

    install: (packages, work) =>
      changeAlone(packages, work, async (before) => {
        const missing = packages.filter((name) => before.get(name)?.isWhole !== true);
        if (missing.length === 0) return { installed: [] };
        const findAbsent = async () => {
          const offered = await findOffered(missing);
          if (offered === null) throw hostFail("no_package_manager", { packages: missing.join(", ") });
          return missing.find((name) => !offered.has(name));
        };
        let hasFreshLists = false;
        if ((await findAbsent()) !== undefined) {
          await fetchLists(work);
          hasFreshLists = true;
          const absent = await findAbsent();
          if (absent !== undefined) throw hostFail("package_unavailable", { package: absent });
        }
        // It may bring what it needs, and take nothing away for that.
        const words = ["install", "--no-install-recommends", "--no-remove", "--", ...missing];
        let end = await runApt(words, work);
        if (end.code !== 0 && UNKNOWN.test(end.stderr) && !hasFreshLists) {
          await fetchLists(work);
          end = await runApt(words, work);
        }
        const after = await findInstalled(missing);
        if (end.code !== 0 || !missing.every((name) => after?.has(name)))
          throw failure(end, `install ${missing.join(", ")}`);
        return { installed: missing };
      }),

    remove: (packages, work) =>
      changeAlone(packages, work, async (before) => {
        const present = packages.filter((name) => before.has(name));
        if (present.length === 0) return { removed: [] };
        const rehearsal = await ask([...APT, "--simulate", "remove", "--", ...present]);
        if (rehearsal.code !== 0) throw failure(rehearsal, `remove ${present.join(", ")}`);
        const others = [...rehearsal.stdout.matchAll(/^Remv ([^\s:]+)/gm)]
          .map(([, name = ""]) => name)
          .filter((name) => !present.some((one) => one === name));
        if (others.length > 0)
          throw hostFail("package_needed", { package: present.join(", "), needed_by: cutText(others.join(", "), 200) });
        const end = await runApt(["remove", "--", ...present], work);
        const after = await findPresent(present);
        if (end.code !== 0 || present.some((name) => after?.has(name)))
          throw failure(end, `remove ${present.join(", ")}`);
        return { removed: present };
      }),
  };
}

function failure(end: ProgramEnd, task: string): Error {
  if (LOCKED.test(end.stderr)) return hostFail("apt_locked");
  return hostFail("apt_failed", { task, last_lines: lastLines(end) });
}
