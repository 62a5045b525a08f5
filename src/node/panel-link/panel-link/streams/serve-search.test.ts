import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ComposeWorld, startComposeWorld } from "../../../../../tests/kit/compose-world.ts";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { belongToPanel } from "../../../../../tests/kit/link-own.ts";
import { createTestLog } from "../../../../../tests/kit/test-log.ts";
import { NODE_HITS_MAX, type NodeHit } from "../../../../shared/agent-protocol/index.ts";
import { insertPerson } from "../people/people-store.ts";
import { createAsks } from "./asks.ts";
import { serveSearch } from "./serve-search.ts";

const FILE = "services:\n  web: { image: shop-web:1 }\n  store: { image: postgres:17 }\n";

let world: ComposeWorld;
let ids: Record<"admin" | "viewer", string>;
beforeAll(async () => {
  world = await startComposeWorld();
  await world.deploy(FILE);
  await world.call("POST /api/alerting/rules", {
    type: "threshold",
    metric: "cpu_percent",
    threshold: 90,
    name: "Shop slow",
  });
  const { body: folder } = await world.call("POST /api/drive/folders", { name: "Lists", parent_id: null });
  expect(folder.id).toBeString();
  const made = await world.call("POST /api/drive/folders", { name: "Shopping", parent_id: folder.id });
  expect(made.status).toBe(201);
  const { node } = world;
  const idOf = async (as: "admin" | "viewer") => (await node.call("GET /api/auth/me", { as })).body.id as string;
  ids = { admin: await idOf("admin"), viewer: await idOf("viewer") };
  belongToPanel(node.ctx, "ten_a");
  const at = { membership: "ten_a", email: "x@example.org", linked_at: "2026-01-01T00:00:00.000Z", visit_until: null };
  node.ctx.db.tx(() => {
    insertPerson(node.ctx.db, { ...at, account_id: "acc_ada", user_id: ids.admin, role: "admin" });
    insertPerson(node.ctx.db, { ...at, account_id: "acc_vic", user_id: ids.viewer, role: "viewer" });
  });
});
afterAll(() => world.stop());

const ours = () => ({
  lists: world.node.ctx.lists,
  log: createTestLog().log,
  asks: createAsks(createFakeClock()),
});

async function search(
  text: string,
  account_id: string,
  role: string,
  limit = NODE_HITS_MAX,
  deps = ours(),
): Promise<string[]> {
  const hits: NodeHit[] = [];
  await serveSearch(deps)({
    params: { text, person: { account_id, role }, limit },
    signal: new AbortController().signal,
    input: (async function* () {})(),
    async send(data) {
      hits.push(...(data as { hits: NodeHit[] }).hits);
    },
  });
  return hits.map(({ source, title, snippet }) => `${source}: ${title} (${snippet})`).toSorted();
}

const RULE = "alert_rules: Shop slow (on)";
const PROJECT = "compose_projects: shop (2 of 2 services run)";
const BOTH = [
  "containers: shop-store-1 (postgres:17, of shop, running)",
  "containers: shop-web-1 (shop-web:1, of shop, running)",
];

test("somebody of the panel finds what they would see here, and of the Drive their own alone", async () => {
  expect(await search("SHOP", "acc_ada", "org_owner")).toEqual([
    RULE,
    PROJECT,
    ...BOTH,
    "files: Shopping (folder in Lists)",
  ]);
  // One who never came has no Drive here; Compose projects are for admins.
  expect(await search("shop", "acc_new", "org_admin")).toEqual([RULE, PROJECT, ...BOTH]);
  expect(await search("shop", "acc_new", "org_manager")).toEqual([RULE, ...BOTH]);
  expect(await search("shop", "acc_vic", "org_viewer")).toEqual([RULE, ...BOTH]);
  expect(await search("postgres", "acc_vic", "org_viewer")).toEqual(BOTH.slice(0, 1));
  expect(await search("shop", "acc_ada", "org_owner", 2)).toHaveLength(2);
});

test("who would not be let in finds nothing, nor who was put out here", async () => {
  for (const role of ["org_teacher", "org_none", "", "admin", "__proto__"])
    expect(await search("shop", "acc_new", role)).toEqual([]);
  const { node } = world;
  const disable = (at: string | null) =>
    node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE users SET disabled_at = ? WHERE id = ?", [at, ids.viewer]));
  disable("2026-01-01T00:00:00.000Z");
  expect(await search("shop", "acc_vic", "org_owner")).toEqual([]);
  disable(null);
});

test("what an admin here made of somebody holds until the panel says otherwise", async () => {
  const { node } = world;
  const become = (role: string) =>
    node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_people SET role = ? WHERE account_id = 'acc_vic'", [role]));
  // As an admin the panel told of them, and a viewer is what an admin here made of that.
  become("admin");
  expect(await search("shop", "acc_vic", "org_owner")).not.toContain(PROJECT);
  become("viewer");
  expect(await search("shop", "acc_vic", "org_owner")).toContain(PROJECT);
});

test("what cannot be asked keeps nobody from the rest; what is no question is refused", async () => {
  const { lists } = world.node.ctx;
  const broken = { source: "broken", least: "viewer" as const, find: () => Promise.reject(new Error("secret words")) };
  const all = () => [broken, ...world.node.ctx.lists.finds.all()];
  const { log, lines } = createTestLog();
  expect(
    await search("slow", "acc_new", "org_viewer", 5, { ...ours(), lists: { ...lists, finds: { add() {}, all } }, log }),
  ).toEqual([RULE]);
  expect(lines.map(({ level }) => level)).toEqual(["debug"]);
  await expect(search("", "acc_new", "org_viewer")).rejects.toMatchObject({ code: "invalid_request" });
});

test("a panel that asks without end asks four things at once, and some a second; what it closed keeps its place", async () => {
  const { lists } = world.node.ctx;
  const asked: PromiseWithResolvers<void>[] = [];
  const find = async () => {
    const held = Promise.withResolvers<void>();
    asked.push(held);
    await held.promise;
    return [];
  };
  const slow = { source: "slow", least: "viewer" as const, find };
  const deps = { ...ours(), lists: { ...lists, finds: { add() {}, all: () => [slow] } } };
  const closing = new AbortController();
  const ask = () =>
    serveSearch(deps)({
      params: { text: "a", person: { account_id: "acc_new", role: "org_viewer" }, limit: 1 },
      signal: closing.signal,
      input: (async function* () {})(),
      send: async () => {},
    });
  const all = Array.from({ length: 40 }, () =>
    ask().then(
      () => "found",
      (error: { code: string }) => error.code,
    ),
  );
  closing.abort();
  expect(asked).toHaveLength(4);
  for (const { resolve } of asked) resolve();
  const ends = await Promise.all(all);
  // Those that waited begin nothing any more.
  expect(asked).toHaveLength(4);
  expect(ends.filter((end) => end === "too_many_requests")).toHaveLength(8);
});
