import { afterEach, beforeEach, expect, test } from "bun:test";
import { chownSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createTempHost, TEST_PROGRAM, type TempHost } from "../../../tests/kit/temp-host.ts";
import { madeForAccount, withoutAccount } from "./account.ts";
import { EXIT, runCommand } from "./cli.ts";
import { snapshotDatabases } from "./data-files.ts";
import { examine } from "./doctor.ts";
import { planUninstall } from "./plan-uninstall.ts";
import { filesOf } from "./release.ts";
import { uninstallCommand } from "./uninstall.ts";

const WITH_USER = { ...TEST_PROGRAM, account: { name: "orrery-panel", unit: "[Unit]\nDescription=user\n" } };
const DATA = "/var/lib/orrery-node";
const isRoot = process.geteuid?.() === 0;

let temp: TempHost;
beforeEach(() => {
  temp = createTempHost();
});
afterEach(() => temp.dispose());
/** A user as somebody made it, with this comment and home. */
const addUserOf = (comment: string, home: string) =>
  temp.host.write(
    "/etc/passwd",
    `root:x:0:0::/root:/bin/sh\norrery-panel:x:997:997:${comment}:${home}:/bin/false\n`,
    0o644,
  );

const addUser = () => addUserOf("Orrery node", DATA);

test("a program with a user brings the unit that makes it, and says what the first start changes", () => {
  expect(filesOf(WITH_USER)).toContainEqual({
    path: "/etc/systemd/system/orrery-node-user.service",
    mode: 0o644,
    content: WITH_USER.account.unit,
  });
  expect(filesOf(TEST_PROGRAM).map(({ path }) => path)).not.toContain("/etc/systemd/system/orrery-node-user.service");
  expect(madeForAccount(temp.host, WITH_USER)).toContain("/etc/passwd");
  expect(madeForAccount(temp.host, TEST_PROGRAM)).toEqual([]);
  addUser();
  expect(madeForAccount(temp.host, WITH_USER)).toEqual([]);
});

test("the user goes with the data, not before", () => {
  expect(withoutAccount(temp.host, WITH_USER)).toEqual([]);
  addUser();
  const runs = (deleteData: boolean) =>
    planUninstall(temp.host, WITH_USER, deleteData, []).flatMap((action) =>
      action.kind === "run" ? [action.argv] : [],
    );
  expect(runs(false)).not.toContainEqual(["userdel", "orrery-panel"]);
  expect(runs(true)).toContainEqual(["userdel", "orrery-panel"]);
});

test("a user who was there before the installation stays, and the end says so", async () => {
  for (const [comment, home] of [
    ["", "/"],
    ["Orrery node", "/srv/node"],
    ["Somebody's", DATA],
  ] as const) {
    addUserOf(comment, home);
    expect(withoutAccount(temp.host, WITH_USER)).toEqual([]);
  }
  temp.host.makeDirectory(DATA, 0o700);
  const said: string[] = [];
  const print = (line: string) => said.push(line);
  const commands = [uninstallCommand(temp.host, WITH_USER)];
  expect(await runCommand("orrery-node", commands, ["uninstall", "--delete-data"], print, print)).toBe(EXIT.ok);
  expect(said.join("\n")).toContain("the user orrery-panel, whom the installation did not make");
});

test("a stop waits for a role that may end its work first, longer than systemd does", async () => {
  temp.host.write("/etc/systemd/system/orrery-host.service", "", 0o644);
  temp.host.write("/etc/systemd/system/orrery-node.service", "", 0o644);
  const [stop] = planUninstall(temp.host, WITH_USER, false, []);
  const unit = await Bun.file(new URL("../../../systemd/orrery-host.service", import.meta.url)).text();
  const minutes = Number(/^TimeoutStopSec=(\d+)min$/m.exec(unit)?.[1]);
  expect(stop).toMatchObject({ kind: "run", timeoutMs: (minutes + 1) * 60_000 });
});

test("the doctor wants the data folder to be the user's, and the user to be there", async () => {
  temp.host.write("/etc/systemd/system/orrery-node.service", "", 0o644);
  temp.host.makeDirectory(DATA, 0o700);
  const data = async (uid: number) => {
    const stat: TempHost["host"]["stat"] = (path) => {
      const facts = temp.host.stat(path);
      return facts && { ...facts, uid };
    };
    const findings = await examine({ ...temp.host, stat }, WITH_USER, { ORRERY_DATA: DATA });
    return findings.find(({ id }) => id === "data");
  };
  expect(await data(0)).toMatchObject({ status: "fail", detail: "there is no user orrery-panel, who owns it" });
  addUser();
  expect(await data(0)).toMatchObject({ status: "fail", fix: `chown -R orrery-panel:orrery-panel ${DATA}` });
  expect(await data(997)).toMatchObject({ status: "ok" });
});

test.if(isRoot)("what root makes in a folder of the service's user belongs to that user", () => {
  temp.host.makeDirectory(DATA, 0o700);
  chownSync(join(temp.root, DATA), 997, 997);
  temp.host.write(`${DATA}/file`, "x", 0o600);
  temp.host.makeDirectory(`${DATA}/folder`, 0o700);
  temp.host.write("/root/source", "x", 0o600);
  temp.host.copy("/root/source", `${DATA}/folder/copy`, 0o600);
  for (const path of ["file", "folder", "folder/copy"]) expect(temp.host.stat(`${DATA}/${path}`)?.uid).toBe(997);
  expect(temp.host.stat("/root/source")?.uid).toBe(0);
});

test("links that the service put in place of a database or the folder of copies are not followed", () => {
  temp.host.makeDirectory(DATA, 0o700);
  symlinkSync("/etc/passwd", join(temp.root, DATA, "metrics.db"));
  expect(() => snapshotDatabases(temp.host, TEST_PROGRAM, `${DATA}/snapshots/a`)).toThrow("metrics.db is a link");
  temp.host.remove(`${DATA}/metrics.db`);
  symlinkSync("/etc", join(temp.root, DATA, "snapshots"));
  expect(() => snapshotDatabases(temp.host, TEST_PROGRAM, `${DATA}/snapshots/a`)).toThrow("snapshots is a link");
});
