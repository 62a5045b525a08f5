import { expect, test } from "bun:test";
import { layoutOf, onDemandLayoutOf } from "../kernel/service/program.ts";
import { nodeConfigTable } from "./config.ts";
import { AUDIT_FILE } from "./host/host-role/command.ts";
import { nodeProgram } from "./program.ts";

const LAYOUT = layoutOf(nodeProgram);

/** What a unit says under a key, in the order in which it stands there. */
const said = (unit: string | null, key: string) =>
  (unit ?? "").split("\n").flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));

test("the units look where the program puts things", () => {
  const { service, upgrade, watch } = nodeProgram.units;
  expect(said(watch, "PathExists")).toEqual([LAYOUT.request]);
  expect(said(watch, "Unit")).toEqual([LAYOUT.upgradeUnit]);
  expect(said(watch, "PartOf")).toEqual([LAYOUT.serviceUnit]);
  const work = [LAYOUT.journal, LAYOUT.takenRequest, LAYOUT.request];
  expect(said(upgrade, "ConditionPathExists")).toEqual(work.map((path) => `|${path}`));
  expect(said(upgrade, "ExecStart")).toEqual([`${LAYOUT.knownGood}/${nodeProgram.name} upgrade --resume`]);
  expect(said(service, "Wants")).toContain(LAYOUT.watchUnit);
  expect(said(service, "ConditionPathExists")).toEqual([`!${LAYOUT.hold}`]);
  expect(said(service, "ReadOnlyPaths")).toEqual([`-${LAYOUT.upgradeDir}`]);
  expect(said(service, "ExecStart")).toEqual([`${LAYOUT.current}/${nodeProgram.name} serve`]);
  expect(said(service, "Environment")).toEqual([
    `${nodeProgram.env.data}=${LAYOUT.dataDir}`,
    `${nodeConfigTable.host_socket.env}=${LAYOUT.runDir}/host.sock`,
  ]);
});

test("the host role is reached by root alone, starts when it is asked, and outlasts the node", () => {
  const { service, onDemand } = nodeProgram.units;
  const role = onDemandLayoutOf(nodeProgram);
  expect(said(service, "Wants")).toContain(`${role?.socketUnit}`);
  expect(said(onDemand?.socket ?? null, "ListenStream")).toEqual([`${LAYOUT.runDir}/host.sock`]);
  expect(said(onDemand?.socket ?? null, "SocketMode")).toEqual(["0600"]);
  expect(said(onDemand?.socket ?? null, "DirectoryMode")).toEqual(["0700"]);
  expect(said(onDemand?.service ?? null, "ExecStart")).toEqual([`${LAYOUT.current}/${nodeProgram.name} host`]);
  expect(AUDIT_FILE.startsWith(`${role?.logDir}/`)).toBe(true);
  expect(said(onDemand?.service ?? null, "LogsDirectory")).toEqual([`${role?.logDir.split("/").at(-1)}`]);
  // A node that restarts must not end a package manager, nor wait for it.
  for (const unit of [onDemand?.socket, onDemand?.service]) expect(said(unit ?? null, "PartOf")).toEqual([]);
});

test("the node itself stays closed", () => {
  const { service } = nodeProgram.units;
  const words: [string, string][] = [
    ["NoNewPrivileges", "yes"],
    ["ProtectSystem", "strict"],
    ["ProtectHome", "read-only"],
    ["PrivateTmp", "yes"],
    ["ProtectKernelTunables", "yes"],
    ["ProtectControlGroups", "yes"],
    ["RestrictNamespaces", "yes"],
    ["SystemCallFilter", "@system-service"],
  ];
  for (const [key, value] of words) expect(said(service, key)).toEqual([value]);
  // Where people mount disks, for their backups, and nowhere else.
  expect(said(service, "ReadWritePaths")).toEqual(["-/mnt -/media -/var/backups"]);
  expect(said(service, "CapabilityBoundingSet").join(" ")).not.toMatch(/SYS_ADMIN|NET_ADMIN|SYS_MODULE/);
});

test("the installed admin command stands alone: all its parts are inside", () => {
  const content = nodeProgram.adminCommand?.content ?? "";
  expect(content).toContain("function parse_json");
  expect(content).toContain("session_file() {");
  // Its own folder.
  expect(content).not.toMatch(/\$\{0%/);
});
