import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countFailedApps, type FiguresOf, health, type Reason } from "./index.ts";

const NOW = 1_800_000_000_000;
const fine: FiguresOf = {
  last_seen: NOW,
  cpu: 1,
  memory: 2,
  disk: 3,
  critical: false,
  failed_apps: 0,
  marked_offline: false,
  listening_since: 0,
  known: null,
  unheard: false,
};
const judge = (more: Partial<FiguresOf>) => health({ ...fine, ...more }, NOW);
const silent = (ms: number, more: Partial<FiguresOf> = {}) => judge({ last_seen: NOW - ms, ...more });

describe("health", () => {
  test("a heartbeat is late after 90 seconds, and not at 90 seconds", () => {
    expect(silent(90_000)).toEqual({ health: "online", status: "online", reasons: [] });
    expect(silent(90_001)).toEqual({ health: "degraded", status: "degraded", reasons: ["heartbeat_late"] });
  });

  test("a node is offline after ten minutes, and not at ten minutes", () => {
    expect(silent(600_000).reasons).toEqual(["heartbeat_late"]);
    expect(silent(600_001)).toEqual({ health: "offline", status: "offline", reasons: ["heartbeat_missing"] });
  });

  test.each([
    ["cpu", "cpu_high"],
    ["memory", "mem_high"],
    ["disk", "disk_high"],
  ] as const)("%s is high from 90 percent on", (field, reason) => {
    expect(judge({ [field]: 89.999 }).reasons).toEqual([]);
    expect(judge({ [field]: 90 }).reasons).toEqual([reason]);
    expect(judge({ [field]: Number.NaN }).reasons).toEqual([]);
  });

  test("a node that never connected is pending, and offline in its health", () => {
    const pending = { health: "offline", status: "pending", reasons: ["never_connected"] } as const;
    expect(judge({ last_seen: 0 })).toEqual(pending);
    expect(judge({ last_seen: 0, marked_offline: true, listening_since: NOW })).toEqual(pending);
  });

  test("marked offline counts whatever it says", () => {
    expect(judge({ marked_offline: true }).reasons).toEqual(["heartbeat_missing"]);
  });

  test("all reasons are told, always in the same order", () => {
    const all = silent(100_000, { cpu: 90, memory: 90, disk: 90, critical: true, failed_apps: 2 });
    expect(all.reasons).toEqual([
      "heartbeat_late",
      "cpu_high",
      "mem_high",
      "disk_high",
      "agent_critical",
      "app_failed",
    ]);
    expect(judge({ critical: true }).reasons).toEqual(["agent_critical"]);
    expect(judge({ failed_apps: 1 }).reasons).toEqual(["app_failed"]);
  });

  test("what the panel could not hear is no silence", () => {
    const day = 86_400_000;
    expect(silent(day, { listening_since: NOW - 90_000 }).status).toBe("online");
    expect(silent(day, { listening_since: NOW - 90_001 }).reasons).toEqual(["heartbeat_late"]);
    expect(silent(day, { listening_since: NOW - 600_000 }).status).toBe("degraded");
    expect(silent(day, { listening_since: NOW - 600_001 }).status).toBe("offline");
  });

  test("after a start, a node whose last word is old is not yet heard, for 90 seconds; one of a moment ago is as it said", () => {
    const started = { unheard: true, listening_since: NOW - 60_000 };
    expect(silent(day(61), started)).toEqual({ health: "offline", status: "pending", reasons: ["not_yet_heard"] });
    expect(silent(90_001, { ...started, cpu: 99 }).reasons).toEqual(["not_yet_heard"]);
    expect(silent(90_000, { ...started, cpu: 99 }).reasons).toEqual(["cpu_high"]);
    expect(silent(day(61), { ...started, unheard: false }).status).toBe("online");
    expect(silent(day(61), { ...started, listening_since: NOW - 90_001 }).reasons).toEqual(["heartbeat_late"]);
    // Who was known to be away is so still.
    expect(silent(day(61), { ...started, known: "offline" }).reasons).toEqual(["heartbeat_missing"]);
    expect(silent(day(61), { ...started, known: "late" }).reasons).toEqual(["heartbeat_late"]);
    expect(silent(day(61), { ...started, marked_offline: true }).status).toBe("offline");
  });

  test("what was known before holds until the node is heard", () => {
    expect(silent(day(1), { listening_since: NOW, known: "offline" }).status).toBe("offline");
    expect(silent(day(1), { listening_since: NOW, known: "late" }).reasons).toEqual(["heartbeat_late"]);
  });

  test("says the same as its description, whatever comes", () => {
    const figure = fc.oneof(
      fc.constant(Number.NaN),
      fc.constantFrom(0, 89.99, 90, 100),
      fc.double({ min: 0, max: 200 }),
    );
    const age = fc.oneof(
      fc.constantFrom(0, 90_000, 90_001, 600_000, 600_001),
      fc.integer({ min: -5_000, max: 700_000 }),
    );
    const node = fc.record({
      age: fc.option(age),
      cpu: figure,
      memory: figure,
      disk: figure,
      critical: fc.boolean(),
      failed_apps: fc.nat(2),
      marked_offline: fc.boolean(),
    });
    fc.assert(
      fc.property(node, ({ age, ...more }) => {
        const said = judge({ ...more, last_seen: age === null ? 0 : NOW - age });
        const reasons: Reason[] = [];
        if (age !== null && age > 90_000) reasons.push("heartbeat_late");
        if (more.cpu >= 90) reasons.push("cpu_high");
        if (more.memory >= 90) reasons.push("mem_high");
        if (more.disk >= 90) reasons.push("disk_high");
        if (more.critical) reasons.push("agent_critical");
        if (more.failed_apps > 0) reasons.push("app_failed");
        if (age === null) expect(said.status).toBe("pending");
        else if (more.marked_offline || age > 600_000) expect(said.reasons).toEqual(["heartbeat_missing"]);
        else expect([said.status, said.reasons]).toEqual([reasons.length > 0 ? "degraded" : "online", reasons]);
      }),
    );
  });
});

const day = (count: number) => count * 86_400_000;

test("failed apps are those restarting or dead", () => {
  const apps = ["running", "restarting", "exited", "dead", "stopped"].map((status) => ({ status }));
  expect(countFailedApps(apps)).toBe(2);
});
