import { AppError } from "../../src/kernel/http/errors.ts";
import type { HostPackage, HostRole, HostUnit } from "../../src/node/host/host-role/index.ts";

/** A machine in memory behind the port of the host role: it outlives the node that asks. */
export interface FakeMachine {
  /** What installs packages here. */
  manager: "apt" | null;
  /** Version of each package that the sources offer. */
  offered: Map<string, string>;
  installed: Set<string>;
  /** Units by the package that brings them. */
  brings: Map<string, HostUnit>;
  /** Units that run now and at boot. */
  running: Set<string>;
  /** Another program is at the packages. */
  locked: boolean;
  /** Packages that fail half-way: they are there afterwards, and installing them ends in an error all the same. */
  broken: Set<string>;
  /** Packages whose set-up fails: they lie among `halves` afterwards. */
  notSetUp: Set<string>;
  /** What is unpacked and not set up: it counts as absent, and goes only when it is removed. */
  halves: Set<string>;
  /** Units that do not start. */
  stuck: Set<string>;
  /** Docker of the snap store: null where there is none. */
  snap: "on" | "off" | null;
  /** What the kernel has by its keys, and what was set of it from here with what there was before. */
  kernel: Map<string, number>;
  sysctls: Map<string, { value: number; before: number }>;
  /** What was asked, in order. */
  asked: string[];
}

/** A Debian of which nothing is installed yet. */
export function createFakeMachine(): FakeMachine {
  const names = [
    "smartmontools",
    "wireguard-tools",
    "caddy",
    "zram-tools",
    "earlyoom",
    "irqbalance",
    "lynis",
    "restic",
    "docker.io",
  ];
  return {
    manager: "apt",
    offered: new Map(names.map((name) => [name, "1.0-1"])),
    installed: new Set(),
    brings: new Map([
      ["smartmontools", "smartmontools.service"],
      ["caddy", "caddy.service"],
      ["zram-tools", "zramswap.service"],
      ["earlyoom", "earlyoom.service"],
      ["docker.io", "docker.service"],
    ]),
    running: new Set(),
    locked: false,
    broken: new Set(),
    notSetUp: new Set(),
    halves: new Set(),
    stuck: new Set(),
    snap: null,
    kernel: new Map([
      ["vm.page-cluster", 3],
      ["vm.swappiness", 60],
    ]),
    sysctls: new Map(),
    asked: [],
  };
}

const refusal = (code: string, message: string) => new AppError(code, [409, message], {});
const never = (): Promise<never> => new Promise(() => {});

/** What of the machine the verbs do; `die` cuts the node off before or after its n-th question took effect. */
export function createFakeHostRole(
  machine: FakeMachine,
  die?: { at: number; after: boolean },
): HostRole & { calls: number } {
  const change = (packages: readonly HostPackage[], run: (name: HostPackage) => void) => {
    if (machine.locked) throw refusal("apt_locked", "Another program is installing packages.");
    for (const name of packages) run(name);
  };
  const unitFacts = (unit: HostUnit) => {
    const exists = [...machine.brings].some(([name, brought]) => brought === unit && machine.installed.has(name));
    const runs = exists && machine.running.has(unit);
    return { active: runs, enabled: runs, failed: exists && machine.stuck.has(unit), exists };
  };
  const sysctlState = (key: string) => ({
    value: machine.kernel.get(key) ?? null,
    set: machine.sysctls.get(key)?.value ?? null,
  });
  const verbs = {
    "packages.state": ({ packages }: { packages: HostPackage[] }) => ({
      manager: machine.manager,
      locked: machine.locked,
      packages: packages.map((name) => {
        const candidate = machine.offered.get(name) ?? null;
        return { name, installed: machine.installed.has(name) ? (candidate ?? "0.1") : null, candidate };
      }),
    }),
    "packages.install"({ packages }: { packages: HostPackage[] }, onLine?: (line: string) => void) {
      const added: HostPackage[] = [];
      change(packages, (name) => {
        if (!machine.offered.has(name)) throw refusal("package_unavailable", `The sources do not offer ${name}.`);
        if (!machine.installed.has(name)) added.push(name);
        onLine?.(`Setting up ${name} ...`);
        if (machine.notSetUp.has(name)) machine.halves.add(name);
        else machine.installed.add(name);
        if (machine.broken.has(name) || machine.notSetUp.has(name))
          throw refusal("apt_failed", `apt-get could not install ${name}.`);
      });
      return { installed: added };
    },
    "packages.remove"({ packages }: { packages: HostPackage[] }) {
      const removed = packages.filter((name) => machine.installed.has(name));
      change(packages, (name) => {
        machine.installed.delete(name);
        machine.halves.delete(name);
        const unit = machine.brings.get(name);
        if (unit) machine.running.delete(unit);
      });
      return { removed };
    },
    "snap.state": () => ({ installed: machine.snap !== null, enabled: machine.snap === "on" }),
    "snap.set"({ enabled }: { enabled: boolean }) {
      if (enabled && machine.running.has("docker.service")) throw refusal("snap_failed", "The socket is taken.");
      machine.snap = enabled ? "on" : "off";
      return { installed: true, enabled };
    },
    "sysctl.state": ({ key }: { key: string }) => sysctlState(key),
    "sysctl.set"({ key, value }: { key: string; value: number | null }) {
      const live = machine.kernel.get(key);
      if (live === undefined) throw refusal("sysctl_unknown", `The kernel of this server knows no ${key}.`);
      const before = machine.sysctls.get(key)?.before ?? live;
      if (value === null) machine.sysctls.delete(key);
      else machine.sysctls.set(key, { value, before });
      machine.kernel.set(key, value ?? before);
      return sysctlState(key);
    },
    "unit.state": ({ unit }: { unit: HostUnit }) => unitFacts(unit),
    "unit.set"({ unit, active }: { unit: HostUnit; active: boolean }) {
      if (active && machine.stuck.has(unit)) throw refusal("unit_failed", `${unit} could not be started.`);
      if (active) machine.running.add(unit);
      else machine.running.delete(unit);
      return unitFacts(unit);
    },
  };
  const role = {
    calls: 0,
    // The verbs are looked up by name, which no type follows.
    async ask(verb: keyof typeof verbs, input: never, options: { onLine?: (line: string) => void }) {
      role.calls += 1;
      const isEnd = die !== undefined && role.calls >= die.at;
      if (isEnd && (role.calls > die.at || !die.after)) return never();
      machine.asked.push(`${verb} ${Object.values(input)[0]}`);
      try {
        return verbs[verb](input, options.onLine);
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: who was cut off learns neither the answer nor the failure.
        if (isEnd) return never();
      }
    },
  };
  return role as unknown as HostRole & { calls: number };
}
