import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createTempHost, TEST_PROGRAM, type TempHost } from "../../../tests/kit/temp-host.ts";
import { createIds } from "../../lib/ids.ts";
import type { Action } from "./actions.ts";
import { EXIT, runCommand } from "./cli.ts";
import type { Host } from "./host.ts";
import { installCommand } from "./install.ts";
import { uninstallCommand } from "./uninstall.ts";

const clock = createFakeClock();
const ENV = { ORRERY_RELEASE_BASE: "https://example.org/orrery/", ORRERY_RELEASE_ALLOW_CIDRS: "" };
let temp: TempHost;
let out: string[];

beforeEach(() => {
  temp = createTempHost();
  temp.makeRelease("", "1.0.0", "works");
  out = [];
});
afterEach(() => temp.dispose());

function call(argv: string[], host: Host = temp.host, env: Record<string, string> = ENV): Promise<number> {
  const print = (line: string) => void out.push(line);
  const deps = (say: (line: string) => void) => ({
    host,
    clock,
    spec: TEST_PROGRAM,
    ids: createIds(clock.now),
    env,
    print: say,
  });
  const commands = [installCommand(deps), uninstallCommand(host, TEST_PROGRAM)];
  return runCommand("orrery-node", commands, argv, print, print);
}

/** Paths whose entry differs between two trees. */
function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}

test.each(["/opt/orrery", "/opt/orrery/releases/1.0.0", "/etc/orrery", "/var/lib/orrery-node"])(
  "what others may write to is not installed into: %s",
  async (place) => {
    mkdirSync(temp.host.real(place), { recursive: true, mode: 0o755 });
    chmodSync(temp.host.real(place), 0o777);
    expect(await call(["install"])).toBe(1);
    expect(out.join("\n")).toContain(`${place} is there and others may write to it`);
    expect(temp.host.stat("/opt/orrery/current-node")).toBe(null);
    chmodSync(temp.host.real(place), 0o755);
    expect(await call(["install"])).toBe(0);
  },
);

test("what belongs to another user is not installed into", async () => {
  const { stat } = temp.host;
  const host = {
    ...temp.host,
    stat: (path: string) =>
      path === "/opt/orrery" ? ({ kind: "directory", mode: 0o755, size: 0, uid: 4_000_000 } as const) : stat(path),
  };
  expect(await call(["install"], host)).toBe(1);
  expect(out.join("\n")).toContain("give it to root: chown -R root: /opt/orrery");
});

test("a dry run changes nothing and names exactly what the install then changes", async () => {
  const before = temp.tree();
  expect(await call(["install", "--dry-run", "--json"])).toBe(0);
  expect(changed(before, temp.tree())).toEqual([]);
  const { plan }: { plan: Action[] } = JSON.parse(out.join("\n"));
  const named = plan.flatMap((action) => ("path" in action ? [action.path] : []));
  const touched = plan.flatMap((action) => (action.kind === "run" ? action.touches : []));

  expect(await call(["install"])).toBe(0);
  const real = changed(before, temp.tree());
  const covers = (path: string) =>
    named.includes(path) || touched.some((item) => item === path || (item.endsWith("/") && path.startsWith(item)));
  expect(real.filter((path) => !covers(path))).toEqual([]);
  expect(named.filter((path) => !real.includes(path))).toEqual([]);
  expect(JSON.stringify(plan)).not.toContain(temp.host.read("/var/lib/orrery-node/claim-token")?.trim() ?? "?");
});

test("install starts the service and says where it is, with the claim token", async () => {
  expect(await call(["install"])).toBe(0);
  const token = temp.host.read("/var/lib/orrery-node/claim-token")?.trim() ?? "?";
  expect(temp.isRunning()).toBe(true);
  expect(temp.host.stat("/var/lib/orrery-node")?.mode).toBe(0o700);
  expect(temp.host.stat("/var/lib/orrery-node/claim-token")?.mode).toBe(0o600);
  const text = out.join("\n");
  for (const word of ["http://192.168.1.20:8420", "http://attic.local:8420", "http://127.0.0.1:8420", token, "█"])
    expect(text).toContain(word);
});

test("updates will come from where the program came from", async () => {
  await call(["install"]);
  expect(temp.host.read("/etc/orrery/node.env")).toContain("\nORRERY_RELEASE_BASE=https://example.org/orrery\n");
  expect(temp.host.read("/etc/orrery/node.env")).not.toContain("CIDRS");
});

test.each([
  ["ORRERY_RELEASE_BASE", "example.org", "must look like https://example.org/orrery"],
  ["ORRERY_RELEASE_ALLOW_CIDRS", "10.0.0.0/8,home", "home is not a range"],
])("nonsense in %s is told by its name, and nothing is installed", async (name, value, words) => {
  const before = temp.tree();
  expect(await call(["install"], temp.host, { [name]: value })).toBe(EXIT.failed);
  expect(out.join("\n")).toContain(`${name}: ${words}`);
  expect(temp.tree()).toEqual(before);
});

test("a dry run over another release is JSON too, and refuses an older one unless that is meant", async () => {
  await call(["install"]);
  const asJson = async (...more: string[]) => {
    out = [];
    const code = await call(["install", "--dry-run", "--json", ...more]);
    return { code, ...JSON.parse(out.join("\n")) };
  };
  expect(await asJson()).toMatchObject({ code: 0, would_refuse: [], plan: [] });
  const newer = temp.makeRelease("newer", "2.0.0", "works");
  temp.host.makeDirectory("/opt/orrery/releases/2.0.0", 0o755);
  temp.host.copy(newer, "/opt/orrery/releases/2.0.0/orrery-node", 0o755);
  temp.host.link("/opt/orrery/current-node", "releases/2.0.0");
  const refused = await asJson();
  expect(refused).toMatchObject({ code: 1, plan: [] });
  expect(refused.would_refuse).toEqual([expect.stringContaining("1.0.0 is older than 2.0.0, which runs")]);
  const meant = await asJson("--allow-older");
  expect(meant).toMatchObject({ code: 0, would_refuse: [] });
  expect(meant.plan.length).toBeGreaterThan(0);
});

test("what is typed wrong exits 2", async () => {
  for (const argv of [
    ["install", "--json"],
    ["install", "--listen", "nowhere"],
    ["install", "--what"],
  ])
    expect([argv, await call(argv)]).toEqual([argv, EXIT.usage]);
});

test("a second install changes nothing, not even a file's time, and shows the token again", async () => {
  await call(["install"]);
  const token = temp.host.read("/var/lib/orrery-node/claim-token")?.trim() ?? "?";
  const before = temp.tree();
  const commands = temp.ran.length;
  out = [];
  expect(await call(["install"])).toBe(0);
  expect(changed(before, temp.tree())).toEqual([]);
  expect(out[0]).toBe("Everything is in place; nothing was changed.");
  expect(out.join("\n")).toContain(token);
  expect(temp.ran.slice(commands).filter(([, verb]) => verb !== "show")).toEqual([]);
});

test("what is damaged is repaired, and the owner's settings stay", async () => {
  await call(["install"]);
  writeFileSync(join(temp.root, "/etc/systemd/system/orrery-node.service"), "broken");
  writeFileSync(join(temp.root, "/etc/orrery/node.env"), "ORRERY_LISTEN=127.0.0.1:9000\n");
  out = [];
  expect(await call(["install"])).toBe(0);
  expect(out.slice(0, 3)).toEqual([
    "write file /etc/systemd/system/orrery-node.service (mode 0644, 23 bytes)",
    "run systemctl daemon-reload",
    "run systemctl restart orrery-node.service (touches /var/lib/orrery-node/)",
  ]);
  expect(out.join("\n")).toContain("http://127.0.0.1:9000");
});

test("no claim token is made for data that has an owner", async () => {
  mkdirSync(join(temp.root, "/var/lib/orrery-node"), { mode: 0o700 });
  writeFileSync(join(temp.root, "/var/lib/orrery-node/owned"), "");
  await call(["install"]);
  expect(temp.host.stat("/var/lib/orrery-node/claim-token")).toBeNull();
  expect(out.join("\n")).not.toContain("Claim token");
});

test("a taken port gives the next one that is not kept for something else", async () => {
  const busy = createTempHost([8420]);
  busy.makeRelease("", "1.0.0", "works");
  expect(await call(["install"], busy.host)).toBe(0);
  expect(out[0]).toBe("Port 8420 is taken by another program; taking 8422 instead.");
  expect(busy.host.read("/etc/orrery/node.env")).toContain("ORRERY_LISTEN=0.0.0.0:8422\n");
  expect(await call(["install", "--listen", "0.0.0.0:8420"], createTempHost([8420]).host)).toBe(1);
  busy.dispose();
});

test.each<[string, Partial<Host>, string]>([
  ["without root", { isRoot: () => false }, "root is needed"],
  ["from a checkout", { ownFile: () => null }, "npm run build"],
  ["on a full disk", { freeBytes: () => 1000 }, "less than 1 GB"],
])("install is refused %s, with the reason, and nothing happens", async (_case, override, reason) => {
  const before = temp.tree();
  expect(await call(["install"], { ...temp.host, ...override })).toBe(1);
  expect(out.join("\n")).toContain(reason);
  out = [];
  expect(await call(["install", "--dry-run", "--json"], { ...temp.host, ...override })).toBe(EXIT.failed);
  expect(JSON.parse(out.join("\n")).would_refuse.join()).toContain(reason);
  out = [];
  expect(await call(["install", "--dry-run"], { ...temp.host, ...override })).toBe(EXIT.failed);
  expect(out.join("\n")).toContain("would refuse: ");
  expect(changed(before, temp.tree())).toEqual([]);
});

test("uninstall with the data leaves the host as it was before the install", async () => {
  const before = temp.tree();
  await call(["install"]);
  expect(await call(["uninstall", "--delete-data"])).toBe(0);
  expect(changed(before, temp.tree())).toEqual([]);
  expect(temp.isRunning()).toBe(false);
});

test("uninstall keeps data and settings, a dry run of it keeps everything, a later install finds them", async () => {
  await call(["install"]);
  const installed = temp.tree();
  await call(["uninstall", "--dry-run", "--delete-data"]);
  expect(changed(installed, temp.tree())).toEqual([]);
  await call(["uninstall"]);
  expect(temp.notes()).toEqual(["1.0.0"]);
  expect(temp.host.stat("/etc/orrery/node.env")?.kind).toBe("file");
  expect(temp.host.stat("/opt/orrery")).toBeNull();
  await call(["install"]);
  expect(temp.notes()).toEqual(["1.0.0", "1.0.0"]);
  expect(await call(["uninstall"])).toBe(0);
  out = [];
  expect(await call(["uninstall"])).toBe(0);
  expect(out).toEqual(["Orrery node is not installed; nothing was changed."]);
});

test("uninstall leaves foreign files in our folders and foreign commands under our names alone", async () => {
  await call(["install"]);
  writeFileSync(join(temp.root, "/opt/orrery/notes.txt"), "mine");
  writeFileSync(join(temp.root, "/usr/local/bin/orrery"), "#!/bin/sh\necho somebody else's\n");
  await call(["uninstall", "--delete-data"]);
  expect(temp.host.read("/opt/orrery/notes.txt")).toBe("mine");
  expect(temp.host.read("/usr/local/bin/orrery")).toContain("somebody else's");
});
