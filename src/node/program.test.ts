import { expect, test } from "bun:test";
import { layoutOf } from "../kernel/service/program.ts";
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
  expect(said(service, "Environment")).toEqual([`${nodeProgram.env.data}=${LAYOUT.dataDir}`]);
});

test("the installed admin command stands alone: all its parts are inside", () => {
  const content = nodeProgram.adminCommand?.content ?? "";
  expect(content).toContain("function parse_json");
  expect(content).toContain("session_file() {");
  // Its own folder.
  expect(content).not.toMatch(/\$\{0%/);
});
