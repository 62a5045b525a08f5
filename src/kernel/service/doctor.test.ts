import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createTempHost, TEST_PROGRAM, type TempHost } from "../../../tests/kit/temp-host.ts";
import { createIds } from "../../lib/ids.ts";
import { openDatabase } from "../db/open.ts";
import { runCommand } from "./cli.ts";
import { hasTable, readDatabase } from "./data-files.ts";
import { doctorCommand, examine } from "./doctor.ts";
import { bad } from "./finding.ts";
import type { Host } from "./host.ts";
import { installCommand } from "./install.ts";

const DATA = "/var/lib/orrery-node";
let temp: TempHost;
let host: Host;

beforeEach(async () => {
  temp = createTempHost();
  temp.makeRelease("", "1.0.0", "works");
  const clock = createFakeClock();
  const deps = { host: temp.host, clock, spec: TEST_PROGRAM, ids: createIds(clock.now), env: {}, print: () => {} };
  await runCommand("orrery-node", [installCommand(() => deps)], ["install"], deps.print, deps.print);
  for (const [path, text] of [
    ["/proc/meminfo", "MemTotal:        4000000 kB\nMemAvailable:    3000000 kB\n"],
    ["/proc/cpuinfo", "flags\t\t: sse4_2 avx avx2\n"],
    ["/sys/fs/cgroup/cgroup.controllers", "cpu io memory\n"],
  ] as const) {
    mkdirSync(join(temp.root, path, ".."), { recursive: true });
    writeFileSync(join(temp.root, path), text);
  }
  // The user that runs the tests stands for root.
  const asRoot = (path: string) => {
    const facts = temp.host.stat(path);
    return facts && { ...facts, uid: 0 };
  };
  const synchronised: Host["run"] = async (argv) =>
    argv[0] === "timedatectl" ? { code: 0, stdout: "yes\n", stderr: "" } : temp.host.run(argv);
  host = { ...temp.host, stat: asRoot, run: synchronised, freeBytes: () => 50_000_000_000 };
});
afterEach(() => temp.dispose());

const find = async (id: string, sick: Host = host, spec = TEST_PROGRAM) =>
  (await examine(sick, spec, {})).find((finding) => finding.id === id);

test("a healthy host has no finding that needs a fix", async () => {
  const findings = await examine(host, TEST_PROGRAM, {});
  expect(findings.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(findings.map(({ id }) => id)).toEqual([
    ...["systemd", "service", "enabled", "answers", "upgrade", "requests", "role", "data", "databases"],
    ...["disk", "memory", "cgroup", "processor", "clock"],
  ]);
});

test("every ailment is found, each with its fix", async () => {
  const stopped = await find("service", {
    ...host,
    run: async () => ({ code: 0, stdout: "ActiveState=failed\nResult=watchdog\n", stderr: "" }),
  });
  expect(stopped).toMatchObject({ status: "fail", detail: "is failed (watchdog)" });
  temp.host.remove("/etc/systemd/system/multi-user.target.wants/orrery-node.service");
  expect(await find("enabled")).toMatchObject({ status: "fail", fix: "systemctl enable orrery-node" });
  expect(await find("answers", { ...host, get: async () => null })).toMatchObject({
    detail: "nothing listens on port 8420",
  });
  const taken: Host = { ...host, get: async () => null, isPortFree: () => false };
  expect((await find("answers", taken))?.fix).toContain("ss -ltnp");
  const idle: Host["run"] = async () => ({ code: 0, stdout: "ActiveState=inactive\n", stderr: "" });
  expect(await find("requests", { ...host, run: idle })).toMatchObject({
    status: "warn",
    fix: "systemctl start orrery-node-upgrade.path",
  });
  temp.host.remove("/etc/systemd/system/orrery-node-upgrade.path");
  expect(await find("requests")).toMatchObject({ status: "warn", fix: "Run as root: orrery-node install" });
  const panel = { ...TEST_PROGRAM, units: { ...TEST_PROGRAM.units, watch: null } };
  expect(await find("requests", host, panel)).toBeUndefined();
  expect(await find("role", { ...host, run: idle })).toMatchObject({
    status: "warn",
    fix: "systemctl restart orrery-host.socket",
  });
  temp.host.remove("/etc/systemd/system/orrery-host.socket");
  expect(await find("role")).toMatchObject({ status: "warn", fix: "Run as root: orrery-node install" });
  const single = { ...TEST_PROGRAM, units: { ...TEST_PROGRAM.units, onDemand: null } };
  expect(await find("role", host, single)).toBeUndefined();
  chmodSync(join(temp.root, DATA), 0o755);
  expect(await find("data")).toMatchObject({ status: "fail", fix: `chmod 700 ${DATA}` });
  expect(await find("disk", { ...host, freeBytes: () => 100_000_000 })).toMatchObject({ status: "fail" });
  expect(await find("disk", { ...host, freeBytes: () => 2_000_000_000 })).toMatchObject({ status: "warn" });
  writeFileSync(join(temp.root, "/proc/meminfo"), "MemTotal: 4000000 kB\nMemAvailable: 90000 kB\n");
  expect(await find("memory")).toMatchObject({ status: "fail" });
  temp.host.remove("/sys/fs/cgroup/cgroup.controllers");
  expect(await find("cgroup")).toMatchObject({ status: "warn", detail: "version 1" });
  expect(await find("clock", { ...host, run: async () => ({ code: 0, stdout: "no\n", stderr: "" }) })).toMatchObject({
    status: "warn",
  });

  mkdirSync(join(temp.root, DATA, "upgrade"), { recursive: true });
  temp.host.write(`${DATA}/upgrade/hold`, "", 0o600);
  expect(await find("upgrade")).toMatchObject({ status: "fail" });
});

test("where nothing is installed, a port that another program holds is found, and a free one is no finding", async () => {
  const bare = createTempHost();
  const look = async (more: Partial<Host>) =>
    (await examine({ ...bare.host, ...more }, TEST_PROGRAM, {})).find(({ id }) => id === "answers");
  const silent = async () => null;
  expect(await look({ get: silent, isPortFree: () => true })).toBeUndefined();
  expect(await look({ get: silent, isPortFree: () => false })).toMatchObject({
    status: "fail",
    detail: "another program holds port 8420",
    fix: expect.stringMatching(/another ORRERY_LISTEN$/),
  });
  bare.dispose();
});

test("a damaged database is found, and a sound one in use is not blamed", async () => {
  const db = openDatabase(join(temp.root, DATA, "metrics.db"));
  db.run("CREATE TABLE points (value TEXT)");
  expect(await find("databases")).toMatchObject({ status: "ok", detail: "main.db and metrics.db are sound" });
  db.close();
  writeFileSync(join(temp.root, DATA, "metrics.db"), "not a database at all".repeat(300));
  expect(await find("databases")).toMatchObject({ status: "fail" });
  expect((await find("databases"))?.fix).toContain("snapshots");
});

test.each([
  ["linux-x64", "sse4_2 avx2", "ok"],
  ["linux-x64", "sse4_2", "fail"],
  ["linux-x64-baseline", "sse4_2", "ok"],
  ["linux-x64-baseline", "sse4_2 avx2", "warn"],
])("the build %s on a processor with %s is %s", async (target, flags, status) => {
  writeFileSync(join(temp.root, "/proc/cpuinfo"), `flags\t\t: ${flags}\n`);
  expect(await find("processor", host, { ...TEST_PROGRAM, target })).toMatchObject({ status });
});

test("exit code 0 without failures, 4 with one; a check that breaks is a finding too", async () => {
  const out: string[] = [];
  const print = (line: string) => void out.push(line);
  const run = (spec: typeof TEST_PROGRAM) =>
    runCommand("orrery-node", [doctorCommand(host, spec, () => ({}))], ["doctor", "--json"], print, print);
  expect(await run(TEST_PROGRAM)).toBe(0);
  expect(JSON.parse(out.join("\n"))).toMatchObject({ healthy: true, version: "1.0.0" });
  expect(await run({ ...TEST_PROGRAM, checks: [async () => bad("x", "X", "is broken", "mend it")] })).toBe(4);
  expect(await run({ ...TEST_PROGRAM, checks: [() => Promise.reject(new Error("no way"))] })).toBe(4);
});

test("looking into a database leaves no file behind, in use or not", () => {
  const path = join(temp.root, "/root/x y?.db");
  const writer = openDatabase(path);
  writer.run("CREATE TABLE facts (value TEXT)");
  const count = (db: Database) => hasTable(db, "facts");
  expect(readDatabase(path, count)).toBe(true);
  writer.close();
  const before = temp.tree();
  expect(readDatabase(path, count)).toBe(true);
  expect([...temp.tree()]).toEqual([...before]);
  expect(readDatabase(join(temp.root, "/root/nothing.db"), count)).toBeNull();
});

test("a folder that was named and is not there is said, on a bare host too; one that nobody named is not looked for", async () => {
  const bare = createTempHost();
  const data = async (env: Record<string, string>) =>
    (await examine(bare.host, TEST_PROGRAM, env)).find(({ id }) => id === "data");
  expect(await data({ ORRERY_DATA: "/nowhere/at/all" })).toMatchObject({
    status: "fail",
    detail: "/nowhere/at/all is not there",
    fix: expect.stringContaining("--data DIR"),
  });
  expect(await data({})).toBeUndefined();
  bare.dispose();
});
