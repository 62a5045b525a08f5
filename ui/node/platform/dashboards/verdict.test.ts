import { expect, test } from "bun:test";
import type { App, AppStatus } from "../../../../src/node/apps/apps/contract.ts";
import type { AlertEvent } from "../../../../src/node/monitoring/alerting/contract.ts";
import { judge, listNeeds } from "./verdict.ts";

const app = (name: string, status: AppStatus, part: Partial<App> = {}): App => ({
  id: `app_${name}`,
  name,
  template: name,
  display_name: name,
  icon: "box",
  category: "files",
  version: "1",
  status,
  cause: null,
  next_step: null,
  created_at: "2026-01-01T00:00:00.000Z",
  installed_at: "2026-01-01T00:00:00.000Z",
  started_at: null,
  url: null,
  port: null,
  op_id: null,
  update: null,
  ...part,
});
const facts = { host: "atlas", runtime: null, disks: [] };

test("the verdict says in one sentence whether all is well", () => {
  expect(judge({ ...facts, apps: [] }).title).toBe("atlas is ready for its first app.");
  expect(judge({ ...facts, apps: [app("a", "running"), app("b", "running")] }).title).toBe(
    "Both apps hold a steady orbit.",
  );
  const broken = judge({
    ...facts,
    apps: [app("a", "running"), app("Paperless", "error", { cause: "ran out of memory" })],
  });
  expect(broken).toEqual({
    title: "One app holds a steady orbit. Paperless has dropped out.",
    lede: "Paperless: Ran out of memory. Everything else on atlas is in order.",
  });
});

test("needs come worst first, each with the fix that fits", () => {
  const disk = {
    device: "sda",
    mount_point: "/",
    fs_type: "ext4",
    total_bytes: 10,
    used_bytes: 9,
    free_bytes: 1,
    usage_percent: 91,
  };
  const needs = listNeeds({
    ...facts,
    disks: [disk],
    apps: [app("never", "error", { installed_at: null }), app("crashed", "error"), app("fine", "running")],
  });
  expect(needs.map((need) => [need.state, need.fix.kind])).toEqual([
    ["crit", "retry"],
    ["crit", "start"],
    ["crit", "storage"],
  ]);
});

test("the sentence counts what the list has: never in order while something is listed", () => {
  const alert = (id: string) =>
    ({
      id,
      severity: "warning",
      rule_name: "Memory",
      message: "It is high",
      entity: "host",
      acknowledged_at: null,
    }) as AlertEvent;
  const fine = [app("a", "running"), app("b", "running")];
  expect(judge({ ...facts, apps: fine, alerts: [] }).lede).toBe("Everything on atlas is in order. Nothing needs you.");
  expect(judge({ ...facts, apps: fine, alerts: [alert("one")] }).lede).toBe("One thing needs you: it is listed below.");
  const broken = {
    ...facts,
    apps: [...fine, app("c", "error", { cause: "it ended" })],
    alerts: [alert("one"), alert("two")],
  };
  expect(judge(broken).lede).toBe("c: It ended. Three things need you, listed below.");
  expect(listNeeds(broken)).toHaveLength(3);
});

test("what a program said is folded, with short digests before it", () => {
  const cause = `The image could not be pulled: manifest for web@sha256:${"a".repeat(64)} not found`;
  const broken = { ...facts, apps: [app("Wiki", "error", { cause })] };
  expect(listNeeds(broken)[0]).toMatchObject({ sub: "The image could not be pulled.", details: cause });
  expect(judge(broken).lede).toBe("Wiki: The image could not be pulled. Everything else on atlas is in order.");
});

test("backups that failed or are old are told with the way to them; a server that has none is left alone", () => {
  const backup = {
    status: "ok",
    last_success_at: "2026-01-01T00:00:00.000Z",
    last_verified_at: null,
    last_size_bytes: 1,
  } as const;
  const fine = { ...facts, apps: [app("a", "running")] };
  const needsOf = (status: "none" | "ok" | "stale" | "failed", last: string | null = backup.last_success_at) =>
    listNeeds({ ...fine, backup: { ...backup, status, last_success_at: last } });
  expect([needsOf("none", null), needsOf("ok"), listNeeds(fine)]).toEqual([[], [], []]);
  expect(needsOf("stale")).toEqual([
    expect.objectContaining({ state: "warn", title: "Backups are out of date", fix: { kind: "backups" } }),
  ]);
  const [never] = needsOf("failed", null);
  expect([never?.state, never?.title, never?.sub]).toEqual([
    "crit",
    "The newest backup did not finish",
    "There is no good one. Back up now to be safe.",
  ]);
  const { lede } = judge({ ...fine, backup: { ...backup, status: "stale" } });
  expect(lede).toMatch(/^Backups are out of date\. The last good one is from .+\. Back up now to be safe\.$/);
});

test("an app that backups are without is told once, with the way to them", () => {
  const left_out = { apps: [{ id: "app_photos", name: "photos" }], next_step: "Remove that file." };
  const at = "2026-01-01T00:00:00.000Z";
  const backup = { status: "ok", last_success_at: at, last_verified_at: null, last_size_bytes: 1, left_out } as const;
  const alert = {
    ...{ id: "1", severity: "warning", rule_name: "An app is left out of backups", message: "" },
    ...{ entity: "app_backup:app_photos", acknowledged_at: null },
  } as AlertEvent;
  const fine = { ...facts, apps: [app("photos", "running", { display_name: "Photos" })] };
  expect(listNeeds({ ...fine, alerts: [alert], backup })).toEqual([
    expect.objectContaining({
      ...{ state: "warn", title: "Backups are without Photos", sub: "Remove that file.", fix: { kind: "backups" } },
    }),
  ]);
  expect(judge({ ...fine, backup }).lede).toBe("Backups are without Photos. Remove that file.");
});
