import { expect, test } from "bun:test";
import { findBest, matchScore, type Subject } from "./match.ts";

const things: Subject[] = [
  { title: "Home", group: "Page" },
  { title: "Users", group: "Page", words: "accounts people" },
  { title: "Add user", group: "Users", words: "invite account" },
  { title: "Audit log", group: "Page" },
  { title: "Jellyfin", group: "App", words: "jellyfin media" },
  { title: "Restart Jellyfin", group: "App" },
  { title: "Logs of Jellyfin", group: "App" },
  { title: "Open Jellyfin", group: "App" },
  { title: "Home Assistant", group: "App store", words: "automation" },
  { title: "Switch to light", group: "Appearance", words: "theme dark" },
  { title: "ops-alerts", group: "Alert channel", words: "telegram" },
  { title: "Webhooks", group: "Page" },
  { title: "Alerts", group: "Page" },
  { title: "Alert events", group: "Alerts" },
  { title: "nvme0n1", group: "Disk", words: "Samsung 990" },
  { title: "Attach a repository", group: "Backups", words: "restic open snapshots import" },
];
const find = (query: string): string[] =>
  things
    .map((thing) => ({ thing, score: matchScore(query, thing) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ thing }) => thing.title);

test.each([
  ["users", "Users"],
  ["add user", "Add user"],
  ["user add", "Add user"],
  ["invite", "Add user"],
  ["restart jelly", "Restart Jellyfin"],
  ["jelly restart", "Restart Jellyfin"],
  ["jellyfin logs", "Logs of Jellyfin"],
  ["jellyfin", "Jellyfin"],
  ["jelyfin", "Jellyfin"],
  ["jellfyin restart", "Restart Jellyfin"],
  ["aulo", "Audit log"],
  ["home", "Home"],
  ["ha", "Home Assistant"],
  ["theme", "Switch to light"],
  ["telegram", "ops-alerts"],
  ["alerts", "Alerts"],
  ["alert", "Alerts"],
  ["ops", "ops-alerts"],
  ["samsung", "nvme0n1"],
  ["wbh", "Webhooks"],
  ["webhoks", "Webhooks"],
  ["disk nvme", "nvme0n1"],
])("%p finds %p first", (query, first) => {
  expect(find(query)[0]).toBe(first);
});

test.each(["xyz", "restart nextcloud", "jellyfin qqq", "receipt"])("%p finds nothing", (query) => {
  expect(find(query)).toEqual([]);
});

test("an empty question fits everything", () => {
  expect(find(" ")).toHaveLength(things.length);
});

test("the list ends somewhere, and what is chosen stays in it as long as it fits", () => {
  const early = { id: "look", title: "Switch to light appearance" };
  const late = Array.from({ length: 60 }, (_, no) => ({ id: `app-${no}`, title: `App ${no}` }));
  const ids = (query: string, chosen: string | null) =>
    findBest([early, ...late], query, { most: 40, chosen }).map(({ id }) => id);
  expect(ids("app", null)).toHaveLength(40);
  expect(ids("app", null)).not.toContain("look");
  expect(ids("app", "look")).toHaveLength(40);
  expect(ids("app", "look").at(-1)).toBe("look");
  expect(ids("app 5", "look")).not.toContain("look");
});
