import { expect, test } from "bun:test";
import type { AlertGroup } from "../../../../src/panel/fleet/fleet-alerts/contract.ts";
import { clock } from "../../../client/format.ts";
import { fleetPath, knownOf, namesOf, titleOf, verdictOf } from "./words.ts";

const since = "2026-03-01T11:06:00.000Z";
const now = Date.parse("2026-03-01T11:14:00.000Z");
const alert = (no: number, by: string | null = null): AlertGroup["alerts"][number] => ({
  id: `n${no}:heartbeat_missing`,
  instance_id: `n${no}`,
  hostname: `web-${no}`,
  title: `web-${no} is offline`,
  at: since,
  acknowledged: by === null ? null : { at: since, by },
});
const group = (more: Partial<AlertGroup> = {}): AlertGroup => ({
  id: "g",
  severity: "critical",
  kind: "node.offline",
  rule: "heartbeat_missing",
  region: "ap-south",
  count: 6,
  acknowledged: 0,
  since,
  latest: since,
  alerts: [1, 2, 3, 4, 5, 6].map((no) => alert(no)),
  ...more,
});

test("a group is one sentence with its number, its place and its time", () => {
  expect(titleOf(group(), now)).toBe(`Six offline in ap-south since ${clock(Date.parse(since))}`);
  const one = group({ count: 1, alerts: [alert(1)], region: null, rule: "disk_high" });
  expect(titleOf(one, now)).toBe(`web-1 has a full disk since ${clock(Date.parse(since))}`);
  expect(titleOf(group(), now + 3 * 86_400_000)).toMatch(/since .*2026/);
});

test("names the first nodes and counts the rest", () => {
  expect(namesOf(group())).toBe("web-1, web-2, web-3 and 3 more");
  expect(namesOf({ count: 2, alerts: [alert(1), alert(2)] })).toBe("web-1 and web-2");
  expect(namesOf({ count: 1, alerts: [alert(1)] })).toBe("web-1");
});

test("says who has it", () => {
  expect(knownOf(group())).toBe("Nobody has it");
  expect(knownOf(group({ acknowledged: 1, alerts: [alert(1), alert(2, "Ida")] }))).toBe("Ida has 1 of them");
  expect(knownOf(group({ count: 2, acknowledged: 2, alerts: [alert(1, "Ida"), alert(2, "Mara")] }))).toBe(
    "Somebody has it",
  );
});

test("the verdict counts only what nobody has", () => {
  expect(verdictOf({ alerts: 0, open: { critical: 0, warning: 0, info: 0 } })).toBe("No alert is open.");
  expect(verdictOf({ alerts: 3, open: { critical: 0, warning: 0, info: 0 } })).toBe("Somebody has every alert.");
  expect(verdictOf({ alerts: 9, open: { critical: 6, warning: 2, info: 1 } })).toBe(
    "Nobody has these yet: six critical, two to watch and one to note.",
  );
});

test("a group leads to its nodes in the list", () => {
  expect(fleetPath(group())).toBe("/fleet?status=offline&region=ap-south");
  expect(fleetPath(group({ rule: "cpu_high", region: null }))).toBe("/fleet?status=degraded&region=unknown");
});
