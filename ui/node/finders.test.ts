import { afterEach, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import type { App } from "../../src/node/apps/apps/contract.ts";
import { COMPONENT } from "../../src/node/storage/objects/contract.ts";
import type { Told } from "../shell/finder.ts";
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
  expect(titles()).toContain("Started from a backup");
  const words = finders.flatMap(({ list }) => list?.() ?? []).map((command) => command.words ?? "");
  expect(words.some((text) => text.includes("registry mirror who reaches"))).toBe(true);
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
  expect(ways("disk")).toHaveLength(4);
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

/** Features that bring nothing of their own to find, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  "apps/app-files": "a tab of an app, which is found",
  "apps/runtime": "the runtime stands among the components",
  "apps/templates": "the store's apps are commands of the page, there before the finders are",
  "apps/terminals": "opened from a container, which is found",
  "monitoring/system": "no screen",
  "people/approvals": "a question that comes by itself",
  "people/avatars": "a field of the profile, which is found",
  "people/invites": "for whoever is not signed in",
  "people/qr": "a page that a picture leads to",
  "people/sign-ins": "for whoever is not signed in",
  "platform/dashboards": "the home page itself",
  "platform/operations": "what is under way stands in the top bar",
  "platform/setup": "before anybody is here",
};

test("every feature with screens brings what it keeps to the palette, or says here why it has nothing", async () => {
  const folders = new Set([...new Glob("*/*/*.{ts,tsx}").scanSync(import.meta.dir)].map((path) => dirname(path)));
  const features = [...folders].filter((folder) => !/^(client|kit|parts|shell)/.test(folder)).toSorted();
  const list = await Bun.file(join(import.meta.dir, "finders.ts")).text();
  const silent = features.filter((folder) => !list.includes(`"./${folder}/finder.ts"`));
  expect(silent).toEqual(Object.keys(WITHOUT));
  expect(features.length - silent.length).toBe(new Set(finders).size - 1);
});

const known: [route: string, answer: unknown, title: string, words: string][] = [
  ["GET /api/containers/compose", [{ name: "blog", managed: true, services: [] }], "blog", "?tab=compose&project=blog"],
  ["GET /api/containers/registries", [{ id: "r", address: "docker.io", username: "ada" }], "Docker Hub", "?tab=images"],
  ["GET /api/drive/shares", { shares: [{ id: "s", name: "a.pdf", is_active: true }] }, "a.pdf", "?view=shared"],
  ["GET /api/objects/buckets", { buckets: [{ name: "photos", reserved: false }] }, "photos", "?bucket=photos"],
  ["GET /api/objects/access-keys", { access_keys: [{ access_key: "AK", name: "rclone" }] }, "rclone", "/objects"],
  ["GET /api/backup/targets", [{ id: "t", name: "nas disk", path: "/mnt/nas", type: "local" }], "nas disk", "/backups"],
  ["GET /api/backup/drop-offs", [{ id: "d", name: "cabin" }], "cabin", "/backups"],
  ["GET /api/backup/schedule", { plans: [{ id: "p", name: "Every night" }] }, "Every night", "/backups"],
  ["GET /api/backup/restic", [{ id: "q", name: "old nas", path: "/x" }], "old nas", "/backups/restic/q"],
  [
    "GET /api/components",
    { components: [{ id: "vpn", title: "VPN", summary: "", enabled: true, options: [] }] },
    "VPN",
    "/components",
  ],
];

/** What navigation takes of a browser, as far as it tells where it went. */
function useBrowser(went: string[]): () => void {
  const parts = {
    history: { pushState: (_state: unknown, _title: string, to: string) => went.push(to) },
    document: { body: null, querySelectorAll: () => [] },
    MutationObserver: class {
      observe(): void {}
      disconnect(): void {}
    },
    requestAnimationFrame: () => 0,
    scrollTo: () => {},
  };
  Object.assign(globalThis, parts);
  return () => {
    for (const name of Object.keys(parts)) Reflect.deleteProperty(globalThis, name);
  };
}

test.each(known)("what %s tells is found, and leads there", (route, answer, title, words) => {
  const went: string[] = [];
  const leave = useBrowser(went);
  as("admin");
  resource(route as never).set(() => answer as never);
  finders
    .flatMap(({ list }) => list?.() ?? [])
    .find((one) => one.title === title)
    ?.run();
  leave();
  expect(went).toEqual([expect.stringContaining(words)]);
});

test("what is an administrator's alone is not found by others", () => {
  for (const [route, answer] of known) resource(route as never).set(() => answer as never);
  as("viewer");
  const forAll = ["a.pdf", "photos", "rclone", "VPN"];
  expect(known.map(([, , title]) => title).filter((title) => titles().includes(title))).toEqual(forAll);
});

test("files of the Drive and objects in a bucket are found by the server", async () => {
  as("admin");
  resource("GET /api/components").set(() => ({ components: [{ id: COMPONENT, enabled: true, options: [] }] }) as never);
  resource("GET /api/objects/buckets").set(() => ({ buckets: [{ name: "photos", reserved: false }] }) as never);
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    "/api/drive/search": { finds: [{ node: { id: "n", kind: "file", name: "tax.pdf" }, path: [{ name: "2026" }] }] },
    "/api/objects/buckets/photos/objects": { folders: ["2026/may/"], objects: [{ key: "2026/map.jpg" }] },
  };
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname + search);
      return Response.json(answers[pathname]);
    },
  });
  const ask = async (words: string): Promise<string[]> => {
    const told = finders.flatMap(({ search }) =>
      search === undefined ? [] : [new Promise<Told>((done) => search(words, new AbortController().signal, done))],
    );
    return (await Promise.all(told)).flatMap(({ found }) => found).map(({ title }) => title);
  };
  const fetchBefore = globalThis.fetch;
  globalThis.fetch = ((path: string, init: RequestInit) => fetchBefore(new URL(path, server.url), init)) as never;
  try {
    expect(await ask("tax")).toEqual(["tax.pdf"]);
    expect(asked).toEqual(["/api/drive/search?q=tax"]);
    expect(await ask("photos/2026/")).toEqual(["tax.pdf", "photos/2026/may/", "photos/2026/map.jpg"]);
  } finally {
    globalThis.fetch = fetchBefore;
    await server.stop(true);
  }
});

test("no two of them have the same id, or one would hide the other", () => {
  as("admin");
  resource("GET /api/apps").set(() => [app("running")]);
  const ids = finders.flatMap(({ list }) => list?.() ?? []).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(30);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
