import { Database } from "bun:sqlite";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createHost, type Host, type RunCommand } from "../../src/kernel/service/host.ts";
import { layoutOf, type ProgramSpec } from "../../src/kernel/service/program.ts";
import { describeRelease } from "../../src/kernel/service/release.ts";
import { makeScratch } from "./scratch.ts";

/** How a pretended release behaves once it is started. */
export type Behaviour = "works" | "exits" | "hangs" | "spoils the data" | "crashes later";

/** A folder that stands for a host, with a systemd that does what the real one does as far as we ask it to. */
export interface TempHost {
  host: Host;
  root: string;
  /** argv of every command so far. */
  ran: string[][];
  /** True while the service runs. */
  isRunning(): boolean;
  /** Power off and on again: what ran is gone, enabled units start. */
  reboot(): void;
  /** Writes a file that acts as a release and returns its path on the host. */
  makeRelease(name: string, version: string, behaviour: Behaviour, migrations?: string[]): string;
  /** What the running versions have written into main.db, in order. */
  notes(): string[];
  /** Every path below the root with mode and content digest, for comparing. */
  tree(): Map<string, string>;
  dispose(): void;
}

/** A program of ours as the service commands see one; nothing of it is real but its shape. */
export const TEST_PROGRAM: ProgramSpec = {
  name: "orrery-node",
  short: "node",
  title: "Orrery node",
  version: "1.0.0",
  target: null,
  units: {
    service: "[Unit]\nDescription=old\n",
    upgrade: "[Unit]\nDescription=upgrade\n",
    watch: "[Path]\n",
    onDemand: { name: "orrery-host", socket: "[Socket]\n", service: "[Service]\n" },
  },
  account: null,
  adminCommand: { name: "orrery", content: "#!/bin/sh\n# ORRERY_URL\n" },
  port: 8420,
  portsKeptFree: [8421],
  databases: ["main.db", "metrics.db"],
  migrations: ["notes/1"],
  env: { data: "ORRERY_DATA", listen: "ORRERY_LISTEN" },
  healthPath: "/api/auth/lock-info",
  claim: { file: "claim-token", needsOwner: (dataDir) => !existsSync(join(dataDir, "owned")) },
  checks: [],
  findApps: async () => [],
};

const LAYOUT = layoutOf(TEST_PROGRAM);
const DONE = { code: 0, stdout: "", stderr: "" };

/** Builds one; `takenPorts` answer as taken. */
export function createTempHost(takenPorts: readonly number[] = []): TempHost {
  const root = makeScratch("host");
  const at = (path: string) => join(root, path);
  const ran: string[][] = [];
  let pid = 0;
  let polls = 0;
  let state: "inactive" | "active" | "failed" = "inactive";
  let running: { version: string; behaviour: Behaviour } | null = null;
  for (const folder of [
    "/run/systemd/system",
    "/etc/systemd/system/multi-user.target.wants",
    "/usr/local/bin",
    "/opt",
    "/var/lib",
    "/var/log",
    "/root",
  ])
    mkdirSync(at(folder), { recursive: true });

  const readRelease = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  const note = (text: string) => {
    const db = new Database(at(`${LAYOUT.dataDir}/main.db`), { create: true });
    db.run("PRAGMA journal_mode = WAL");
    db.run("CREATE TABLE IF NOT EXISTS migrations (feature TEXT, number INTEGER)");
    db.run("CREATE TABLE IF NOT EXISTS notes (text TEXT)");
    db.run("INSERT INTO migrations SELECT 'notes', 1 WHERE NOT EXISTS (SELECT 1 FROM migrations)");
    db.query("INSERT INTO notes VALUES (?)").run(text);
    db.close();
  };

  function start(): void {
    if (existsSync(at(LAYOUT.hold)) || state === "active") return;
    const current = readlinkSync(at(LAYOUT.current));
    running = readRelease(at(`${LAYOUT.base}/${current}/${TEST_PROGRAM.name}`));
    pid++;
    polls = 0;
    state = running?.behaviour === "exits" || running?.behaviour === "spoils the data" ? "failed" : "active";
    mkdirSync(at(LAYOUT.dataDir), { recursive: true });
    if (running?.behaviour === "spoils the data")
      writeFileSync(at(`${LAYOUT.dataDir}/main.db`), "spoiled".repeat(1000));
    if (state === "active") note(running?.version ?? "");
  }

  const isEnabled = (unit: string) => existsSync(at(`/etc/systemd/system/multi-user.target.wants/${unit}`));
  const verbs: Record<string, (units: string[]) => void> = {
    "daemon-reload": () => {},
    "reset-failed": () => {},
    start: (units) => units.includes(LAYOUT.serviceUnit) && start(),
    stop: () => {
      state = "inactive";
    },
    restart: () => {
      state = "inactive";
      start();
    },
    enable(units) {
      for (const unit of units) writeFileSync(at(`/etc/systemd/system/multi-user.target.wants/${unit}`), "");
    },
    disable(units) {
      for (const unit of units) rmSync(at(`/etc/systemd/system/multi-user.target.wants/${unit}`));
    },
  };

  const run: RunCommand = async (argv) => {
    ran.push([...argv]);
    const [program = "", verb = "", ...rest] = argv;
    if (program !== "systemctl") {
      const release = readRelease(program);
      return { ...DONE, stdout: rest.includes("--json") ? JSON.stringify(release.facts) : release.version };
    }
    if (verb === "show")
      return { ...DONE, stdout: `ActiveState=${state}\nResult=exit-code\nMainPID=${pid}\nNRestarts=0\n` };
    verbs[verb]?.(rest.filter((word) => !word.startsWith("--")));
    return DONE;
  };

  const host = createHost({
    root,
    run,
    async get() {
      if (state !== "active" || !running || running.behaviour === "hangs") return null;
      polls++;
      if (running.behaviour === "crashes later" && polls > 3) pid++;
      return { status: 200, body: { version: running.version } };
    },
    isPortFree: (_host, port) => !takenPorts.includes(port),
    freeBytes: () => 50_000_000_000,
    addresses: () => ["192.168.1.20"],
    hostname: () => "attic",
    isRoot: () => true,
    ownFile: () => "/root/orrery-node",
  });

  return {
    host,
    root,
    ran,
    isRunning: () => state === "active",
    reboot() {
      state = "inactive";
      if (isEnabled(LAYOUT.serviceUnit)) start();
    },
    makeRelease(name, version, behaviour, migrations = ["notes/1"]) {
      const units = { ...TEST_PROGRAM.units, service: `[Unit]\nDescription=${version}\n` };
      const facts = describeRelease({ ...TEST_PROGRAM, version, migrations, units });
      const extra = { path: "/etc/systemd/system/orrery-extra.service", mode: 0o644, content: "[Unit]\n" };
      const files = version === TEST_PROGRAM.version ? describeRelease(TEST_PROGRAM).files : [...facts.files, extra];
      mkdirSync(at(`/root/${name}`), { recursive: true });
      const path = `/root/${name}/${TEST_PROGRAM.name}`;
      writeFileSync(at(path), JSON.stringify({ version, behaviour, facts: { ...facts, files } }));
      return path;
    },
    notes() {
      const db = new Database(at(`${LAYOUT.dataDir}/main.db`), { readonly: true });
      const rows = db.query<{ text: string }, []>("SELECT text FROM notes").all();
      db.close();
      return rows.map(({ text }) => text);
    },
    tree() {
      const all = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
      const entries = all.filter((name) => realpathSync(at(dirname(name))) === at(dirname(name)));
      return new Map(
        entries.map((name) => {
          const facts = host.stat(`/${name}`);
          const content = facts?.kind === "file" ? Bun.hash(readFileSync(at(name))) : host.target(`/${name}`);
          return [`/${name}`, `${facts?.kind} ${facts?.mode.toString(8)} ${content}`] as const;
        }),
      );
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}
