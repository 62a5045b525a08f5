import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { type FakeHostPrograms, makeFakeHostPrograms } from "../../../../tests/kit/fake-host-programs.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createAnswerVerb } from "./answer-verb.ts";
import { openAuditFile } from "./audit-file.ts";

let fake: FakeHostPrograms;
let folder: string;
let clock: FakeClock;
let lines: string[];
let isLocked: boolean;
beforeEach(() => {
  folder = makeScratch("host-role");
  fake = makeFakeHostPrograms(join(folder, "bin"));
  clock = createFakeClock();
  lines = [];
  isLocked = false;
});
afterEach(() => rmSync(folder, { recursive: true }));

const auditPath = () => join(folder, "audit", "audit.jsonl");
const record = () =>
  existsSync(auditPath())
    ? readFileSync(auditPath(), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

function answerer(run = fake.run) {
  return createAnswerVerb({
    audit: openAuditFile(auditPath(), clock),
    clock,
    docker: join(folder, "docker.sock"),
    host: { isLocked: () => isLocked },
    ids: createIds(clock.now),
    log: createLog(clock, "error", () => {}),
    run,
  });
}
const ask = (verb: string, input: unknown, by = "usr_1", signal?: AbortSignal) =>
  answerer()({ verb, input, by }, { onLine: (line) => void lines.push(line), ...(signal ? { signal } : {}) });
const install = (...packages: string[]) => ask("packages.install", { packages });
const changes = () => fake.calls().filter((call) => /^apt-get|^dpkg |^systemctl (?!show)/.test(call));

describe("packages", () => {
  test("what is there and what is offered is asked of dpkg and apt", async () => {
    fake.install("restic", "0.14.0");
    fake.offer("restic", "0.14.0");
    fake.offer("lynis", "3.0.8");
    expect(await ask("packages.state", { packages: ["lynis", "restic", "caddy"] })).toEqual({
      manager: "apt",
      locked: false,
      packages: [
        { name: "lynis", installed: null, candidate: "3.0.8" },
        { name: "restic", installed: "0.14.0", candidate: "0.14.0" },
        { name: "caddy", installed: null, candidate: null },
      ],
    });
    isLocked = true;
    expect(await ask("packages.state", { packages: ["lynis"] })).toMatchObject({ locked: true });
    // Asking changes nothing, so there is nothing to record.
    expect(record()).toEqual([]);
  });

  test("a server without apt says so", async () => {
    const bare = answerer(async () => ({ code: 127, signal: null, stdout: "", stderr: "not found", cut: [] }));
    const work = { onLine: () => {} };
    expect(await bare({ verb: "packages.state", input: { packages: ["lynis"] }, by: "op_1" }, work)).toMatchObject({
      manager: null,
      packages: [{ installed: null, candidate: null }],
    });
    const refused = bare({ verb: "packages.install", input: { packages: ["lynis"] }, by: "op_1" }, work);
    await expect(refused).rejects.toMatchObject({ code: "no_package_manager" });
  });

  test("what is missing is installed, with the lines told and nothing asked", async () => {
    fake.install("restic");
    fake.offer("lynis");
    expect(await install("restic", "lynis")).toEqual({ installed: ["lynis"] });
    expect(fake.isInstalled("lynis")).toBe(true);
    expect(lines).toEqual(["Setting up lynis ..."]);
    const [call = ""] = changes();
    expect(call).toEndWith("install --no-install-recommends --no-remove -- lynis");
    expect(call).toContain("DPkg::Lock::Timeout=5");
    const environment = fake.environment().split("\n");
    expect(environment).toContain("DEBIAN_FRONTEND=noninteractive");
    expect(environment).toContain("NEEDRESTART_MODE=l");
    expect(environment.filter((line) => /^(ORRERY|BUN|NODE|USER)/.test(line))).toEqual([]);
    expect(await install("restic", "lynis")).toEqual({ installed: [] });
    expect(changes()).toHaveLength(1);
  });

  test("lists that are old are fetched before anything is called unavailable", async () => {
    fake.offer("lynis", "1.0", "later");
    expect(await install("lynis")).toEqual({ installed: ["lynis"] });
    expect(changes()[0]).toEndWith("update");
    await expect(install("caddy")).rejects.toMatchObject({ code: "package_unavailable", params: { package: "caddy" } });
    expect(fake.isInstalled("caddy")).toBe(false);
    // What the lists name is gone from the source since.
    fake.offer("preload");
    fake.fault("old-lists");
    expect(await install("preload")).toEqual({ installed: ["preload"] });
  });

  test("what is removed leaves everything else where it is", async () => {
    fake.install("lynis");
    fake.install("docker.io");
    fake.depend("docker-compose-v2", "docker.io");
    expect(await ask("packages.remove", { packages: ["lynis", "restic"] })).toEqual({ removed: ["lynis"] });
    expect(fake.isInstalled("lynis")).toBe(false);
    expect(await ask("packages.state", { packages: ["lynis"] })).toMatchObject({ packages: [{ installed: null }] });
    await expect(ask("packages.remove", { packages: ["docker.io"] })).rejects.toMatchObject({
      code: "package_needed",
      params: { package: "docker.io", needed_by: "docker-compose-v2" },
    });
    expect(fake.isInstalled("docker.io")).toBe(true);
    expect(changes().filter((call) => call.includes("remove") && !call.includes("--simulate"))).toHaveLength(1);
  });

  test("with a package goes what systemd remembers of how its units failed, and nothing else", async () => {
    fake.install("docker.io");
    fake.unit("docker.service", { active: "failed", broken: "gone" });
    fake.unit("docker.socket", { active: "failed", broken: "gone" });
    fake.unit("caddy.service", { active: "failed" });
    await ask("packages.remove", { packages: ["docker.io"] });
    const resets = fake.calls().filter((call) => call.includes("reset-failed"));
    expect(resets).toEqual(["systemctl reset-failed -- docker.service docker.socket"]);
  });

  test("another program at the packages is waited for, and not for ever", async () => {
    fake.offer("lynis");
    isLocked = true;
    const waiting = install("lynis");
    await clock.advance(5_000);
    isLocked = false;
    await clock.advance(1_000);
    expect(await waiting).toEqual({ installed: ["lynis"] });

    isLocked = true;
    const refused = install("caddy").catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await refused).toMatchObject({ code: "apt_locked" });
    expect(changes()).toHaveLength(1);

    isLocked = false;
    fake.offer("caddy");
    fake.fault("locked");
    await expect(install("caddy")).rejects.toMatchObject({ code: "apt_locked" });
  });

  test("nobody waits who is not waited for", async () => {
    isLocked = true;
    const stop = new AbortController();
    const waiting = ask("packages.install", { packages: ["lynis"] }, "usr_1", stop.signal);
    stop.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(changes()).toEqual([]);
  });

  test("apt's own words are told when it fails, also when it says that all is well", async () => {
    fake.offer("lynis");
    fake.fault("failing");
    await expect(install("lynis")).rejects.toMatchObject({
      code: "apt_failed",
      params: { task: "install lynis", last_lines: "E: Sub-process /usr/bin/dpkg returned an error code (1)" },
    });
    fake.fault("silent");
    await expect(install("lynis")).rejects.toMatchObject({ code: "apt_failed" });
    expect(record().map(({ phase, code }) => [phase, code])).toEqual([
      ["begun", undefined],
      ["failed", "apt_failed"],
      ["begun", undefined],
      ["failed", "apt_failed"],
    ]);
  });

  test("what could not be set up is not there for who asks, and is removed all the same", async () => {
    fake.offer("lynis");
    fake.fault("half-set-up");
    await expect(install("lynis")).rejects.toMatchObject({ code: "apt_failed" });
    expect(await ask("packages.state", { packages: ["lynis"] })).toMatchObject({ packages: [{ installed: null }] });
    fake.fault(null);
    expect(await ask("packages.remove", { packages: ["lynis"] })).toEqual({ removed: ["lynis"] });
    expect(await ask("packages.remove", { packages: ["lynis"] })).toEqual({ removed: [] });
    fake.fault("half-set-up");
    await expect(install("lynis")).rejects.toMatchObject({ code: "apt_failed" });
    fake.fault(null);
    expect(await install("lynis")).toEqual({ installed: ["lynis"] });
  });

  test("what a power cut left half done is finished first", async () => {
    fake.offer("lynis");
    fake.fault("half-done");
    expect(await install("lynis")).toEqual({ installed: ["lynis"] });
    expect(changes()[1]).toEndWith("--configure --pending");
  });

  test("enormous output is read to its end and kept nowhere", async () => {
    fake.offer("lynis");
    fake.fault("enormous");
    let count = 0;
    const answer = answerer();
    const question = { verb: "packages.install", input: { packages: ["lynis"] }, by: "op_1" };
    expect(
      await answer(question, {
        onLine() {
          count += 1;
        },
      }),
    ).toEqual({ installed: ["lynis"] });
    expect(count).toBeGreaterThan(300_000);
  });

  test("apt that hangs is ended", async () => {
    fake.offer("lynis");
    fake.fault("hanging");
    const impatient = answerer((argv, options) =>
      fake.run(argv, argv[0] === "apt-get" ? { ...options, timeoutMs: 200, graceMs: 200 } : options),
    );
    const hanging = impatient(
      { verb: "packages.install", input: { packages: ["lynis"] }, by: "op_1" },
      { onLine: () => {} },
    );
    await expect(hanging).rejects.toMatchObject({
      code: "apt_failed",
      params: { last_lines: "It took too long and was ended (SIGTERM)." },
    });
  });
});

describe("units", () => {
  test("one that systemd does not know is not there", async () => {
    expect(await ask("unit.state", { unit: "caddy.service" })).toEqual({
      active: false,
      enabled: false,
      failed: false,
      exists: false,
    });
    const input = { unit: "caddy.service", enabled: true, active: true };
    await expect(ask("unit.set", input)).rejects.toMatchObject({ code: "unit_unknown" });
  });

  test("one is switched on and off, and only what differs is changed", async () => {
    fake.unit("earlyoom.service", { file: "enabled" });
    const on = { unit: "earlyoom.service", enabled: true, active: true };
    expect(await ask("unit.set", on)).toEqual({ active: true, enabled: true, failed: false, exists: true });
    expect(changes()).toHaveLength(1);
    await ask("unit.set", on);
    expect(changes()).toHaveLength(1);
    expect(await ask("unit.set", { ...on, enabled: false, active: false })).toMatchObject({
      active: false,
      enabled: false,
    });
    expect(fake.unitState("earlyoom.service")).toBe("inactive disabled");
  });

  test("one that does not start says why", async () => {
    fake.unit("smartd.service", { broken: true });
    const failing = ask("unit.set", { unit: "smartd.service", enabled: true, active: true });
    await expect(failing).rejects.toMatchObject({
      code: "unit_failed",
      params: { unit: "smartd.service", task: "started" },
    });
    expect(await ask("unit.state", { unit: "smartd.service" })).toMatchObject({ active: false, failed: true });
    expect(await ask("unit.set", { unit: "smartd.service", enabled: false, active: false })).toMatchObject({
      failed: false,
    });
  });

  test("a server without systemd says so", async () => {
    rmSync(join(fake.folder, "state/units"), { recursive: true });
    expect(await ask("unit.state", { unit: "caddy.service" })).toMatchObject({ exists: false });
    const input = { unit: "caddy.service", enabled: true, active: true };
    await expect(ask("unit.set", input)).rejects.toMatchObject({ code: "no_systemd" });
  });
});

describe("the record", () => {
  test("is on the disk before anything is changed", async () => {
    fake.offer("lynis");
    let before: unknown[] = [];
    const answer = answerer((argv, options) => {
      if (argv.includes("install")) before = record();
      return fake.run(argv, options);
    });
    await answer({ verb: "packages.install", input: { packages: ["lynis"] }, by: "op_7" }, { onLine: () => {} });
    expect(before).toMatchObject([
      { phase: "begun", by: "op_7", verb: "packages.install", input: { packages: ["lynis"] } },
    ]);
    expect(record()).toMatchObject([{ phase: "begun" }, { phase: "done", by: "op_7" }]);
    expect(record()[0].id).toBe(record()[1].id);
  });

  test("where it cannot be written, nothing is changed", async () => {
    writeFileSync(join(folder, "audit"), "not a folder");
    fake.offer("lynis");
    await expect(install("lynis")).rejects.toMatchObject({ code: "host_role_unavailable" });
    expect(changes()).toEqual([]);
    expect(fake.isInstalled("lynis")).toBe(false);
  });

  test("a line that a power cut tore stays alone", async () => {
    fake.offer("lynis");
    await install("lynis");
    writeFileSync(auditPath(), '{"torn', { flag: "a" });
    await ask("packages.remove", { packages: ["lynis"] });
    const kept = readFileSync(auditPath(), "utf8").split("\n");
    expect(kept[2]).toBe('{"torn');
    expect(JSON.parse(kept[3] ?? "")).toMatchObject({ verb: "packages.remove", phase: "begun" });
  });
});

test("nothing but the verbs, their packages and their units can be asked", async () => {
  const refused = async (verb: string, input: unknown, by = "usr_1") => {
    await expect(ask(verb, input, by)).rejects.toMatchObject({ code: "host_request_refused" });
  };
  for (const verb of ["", "packages", "packages.purge", "__proto__", "constructor", "toString"])
    await refused(verb, {});
  for (const input of [
    null,
    [],
    {},
    { packages: [] },
    { packages: "lynis" },
    { packages: ["openssh-server"] },
    { packages: ["lynis=1.0"] },
    { packages: ["lynis-"] },
    { packages: ["--purge"] },
    { packages: ["lynis", "lynis"] },
    { packages: ["lynis"], options: ["-o"] },
  ])
    await refused("packages.install", input);
  for (const unit of ["ssh.service", "../caddy.service", "caddy", "caddy.service ssh.service", "--all"])
    await refused("unit.set", { unit, enabled: true, active: true });
  await refused("unit.set", { unit: "caddy.service", enabled: "yes", active: true });
  for (const by of ["", "a\nb", "x".repeat(101)]) await refused("unit.state", { unit: "caddy.service" }, by);
  expect(fake.calls()).toEqual([]);
  expect(record()).toEqual([]);
});
