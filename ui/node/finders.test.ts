import { afterEach, expect, test } from "bun:test";
import type { App } from "../../src/node/apps/apps/contract.ts";
import { clearResources, resource } from "./client/resource.ts";
import { user } from "./client/session.ts";
import { finders } from "./finders.ts";

const app = (status: App["status"]) =>
  ({ id: "app_1", name: "jelly", display_name: "Jellyfin", status, url: "http://nas:8096", icon: "film" }) as App;
const as = (role: "admin" | "member" | "viewer") => {
  user.value = { id: "usr_1", username: "ada", role } as never;
};
const titles = () => finders.flatMap(({ list }) => list?.() ?? []).map(({ title }) => title);
const ways = (words: string) => finders.flatMap((finder) => finder.words?.(words) ?? []).map(({ title }) => title);

Object.assign(globalThis, { location: new URL("http://nas/") });
afterEach(() => {
  user.value = null;
  clearResources();
});

test("an administrator can do with an app what fits its state", () => {
  as("admin");
  resource("GET /api/apps").set(() => [app("running")]);
  expect(titles()).toEqual(
    expect.arrayContaining(["Open Jellyfin", "Restart Jellyfin", "Stop Jellyfin", "Logs of Jellyfin"]),
  );
  expect(titles()).not.toContain("Start Jellyfin");
  resource("GET /api/apps").set(() => [app("stopped")]);
  expect(titles()).toContain("Start Jellyfin");
  expect(titles()).not.toContain("Restart Jellyfin");
  resource("GET /api/apps").set(() => [app("updating")]);
  expect(titles().filter((title) => /^(Start|Stop|Restart) /.test(title))).toEqual([]);
});

test("others find what they may see, and nothing that they would be refused", () => {
  resource("GET /api/apps").set(() => [app("running")]);
  resource("GET /api/users").set(() => [{ id: "usr_2", username: "grace", role: "member" }] as never);
  as("admin");
  const all = titles();
  expect(all).toEqual(expect.arrayContaining(["grace", "Add user", "Add webhook", "Add rule", "Plan maintenance"]));
  expect(ways("disk")).toHaveLength(3);
  as("member");
  expect(all.filter((title) => !titles().includes(title))).toEqual(
    expect.arrayContaining(["grace", "Add user", "Add channel", "Plan maintenance", "Restart Jellyfin"]),
  );
  expect(titles()).toEqual(expect.arrayContaining(["Add rule", "Add webhook", "Open Jellyfin", "Passkeys"]));
  as("viewer");
  expect(titles()).not.toContain("Add rule");
  expect(titles()).not.toContain("Add webhook");
  expect(ways("disk")).toEqual(["Look for “disk” in the timeline"]);
});

test("no two of them have the same id, or one would hide the other", () => {
  as("admin");
  resource("GET /api/apps").set(() => [app("running")]);
  const ids = finders.flatMap(({ list }) => list?.() ?? []).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(30);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
