/** Folders and Drives in which very much lies: nothing holds up everybody, and nobody sees half of anything. */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { Role } from "../../access.ts";
import type { DriveNode } from "./contract.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(async () => {
  const counted = "SELECT user_id, count(*) AS nodes FROM drive_nodes GROUP BY user_id ORDER BY user_id";
  const kept = "SELECT user_id, nodes FROM drive_counts WHERE nodes <> 0 ORDER BY user_id";
  expect(node.ctx.db.raw.query(kept).all()).toEqual(node.ctx.db.raw.query(counted).all());
  await closeStorageNode(node);
});

const call = (route: string, body?: unknown, as: Role = "admin") => node.call(route, { as, body });
const one = (sql: string): number => node.ctx.db.raw.query<{ n: number }, []>(sql).get()?.n ?? -1;
const countNodes = (): number => one("SELECT count(*) AS n FROM drive_nodes");
const namesIn = async (folder = ""): Promise<string[]> =>
  (await call(`GET /api/drive/tree${folder && `?folder_id=${folder}`}`)).body.nodes.map(({ name }: DriveNode) => name);

/** A folder with so many files in it, forty in a folder, the last of which are at three levels. */
async function makeLarge(files: number, as: Role = "admin"): Promise<string> {
  const { id } = (await call("POST /api/drive/folders", { name: `large ${files}`, parent_id: null }, as)).body;
  node.ctx.db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, sha256, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at + 1 < ?1)
       SELECT ?2 || at, d.user_id, CASE WHEN at % 40 = 0 THEN d.id ELSE ?2 || (at - at % 40) END, 'f' || at, 'f' || at,
         at % 40 > 0, CASE WHEN at % 40 > 0 THEN 'sum' || at END, 0, 0, at
       FROM n, drive_nodes d WHERE d.id = ?2`,
    )
    .run(files, id);
  return id;
}

/** How many rows each transaction changes that nobody waits for; the third waits for `goOn` where it is held. */
function watchParts(isHeld = false) {
  const changed: number[] = [];
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  const { db } = node.ctx;
  const aside = db.txAside.bind(db);
  const changes = () => one("SELECT total_changes() AS n");
  let begun = 0;
  const parts = spyOn(db, "txAside").mockImplementation(async (fn) => {
    begun += 1;
    if (isHeld && begun === 3) await promise;
    return await aside(() => {
      const from = changes();
      const made = fn();
      changed.push(changes() - from);
      return made;
    });
  });
  return { changed, goOn, parts, held: () => until(() => begun === 3, { what: "the third part" }) };
}

/** As a program that was killed and started again. */
async function restart(): Promise<void> {
  const last = node;
  node = openStorageNode({}, last);
  for (const { feature, start } of node.ctx.parts) if (["drive", "users"].includes(feature.name)) await start?.();
}

test("a large folder is copied a part at a time, and is there at once with all that is in it", async () => {
  const id = await makeLarge(2_000);
  await call(`PATCH /api/drive/nodes/${id}40`, { starred: true });
  const { changed, goOn, held } = watchParts(true);
  const copying = call(`POST /api/drive/nodes/${id}/copy`, { parent_id: null, name: "copy" });
  await held();
  expect(countNodes()).toBeGreaterThan(2_001);
  expect(await namesIn()).toEqual(["large 2000"]);
  const { finds } = (await call("GET /api/drive/search?q=f41")).body;
  expect(finds.filter(({ node: { id: found } }: { node: DriveNode }) => !found.startsWith(id))).toEqual([]);
  expect((await call(`POST /api/drive/nodes/${id}/copy`, { parent_id: null })).body.code).toBe("drive_copying");
  goOn();
  const { status, body } = await copying;
  expect([status, body.name]).toEqual([201, "copy"]);
  // Five hundred, each with the count of what somebody has, and what goes with them.
  expect(Math.max(...changed)).toBeLessThanOrEqual(1_500);
  expect(await namesIn()).toEqual(["copy", "large 2000"]);
  expect(countNodes()).toBe(2 * 2_001);
  const tree = (parent: string) =>
    node.ctx.db.raw
      .query<{ name: string }, [string]>(
        `WITH RECURSIVE below (id, way) AS (SELECT ?1, ''
           UNION ALL SELECT n.id, way || '/' || n.name || coalesce(n.sha256, '') FROM below JOIN drive_nodes n ON n.parent_id = below.id)
         SELECT way AS name FROM below ORDER BY way`,
      )
      .all(parent);
  expect(tree(body.id)).toEqual(tree(id));
  expect(one("SELECT count(*) AS n FROM drive_nodes WHERE starred_at IS NOT NULL")).toBe(1);
});

test("of a copy that cannot be shown, and of one that a kill cut off, nothing stays", async () => {
  const id = await makeLarge(1_200);
  const { goOn, held, parts } = watchParts(true);
  const copying = call(`POST /api/drive/nodes/${id}/copy`, { parent_id: null, name: "copy" });
  await held();
  await call("POST /api/drive/folders", { name: "copy", parent_id: null });
  goOn();
  expect((await copying).body.code).toBe("drive_name_taken");
  await until(() => countNodes() === 1_202, { what: "the end of what was copied" });

  parts.mockRestore();
  // The third of its transactions never ends, as with the program.
  const cut = watchParts(true);
  void call(`POST /api/drive/nodes/${id}/copy`, { parent_id: null, name: "other" });
  await cut.held();
  expect(countNodes()).toBeGreaterThan(1_202);
  await restart();
  expect(await namesIn()).toEqual(["copy", "large 1200"]);
  await until(() => countNodes() === 1_202, { what: "the end of what was cut off" });
});

test("an account with a large Drive is gone at once, and its files a part at a time", async () => {
  await makeLarge(1_800, "member");
  await call("POST /api/drive/folders", { name: "mine", parent_id: null });
  const link = (await call("GET /api/drive/tree", undefined, "member")).body.nodes[0].id;
  await call(`POST /api/drive/nodes/${link}/copy`, { parent_id: null }, "member");
  const token = await node.tokenOf("member");
  const { changed } = watchParts();
  expect((await call("DELETE /api/users/usr_member?with_belongings=true")).status).toBe(204);
  expect(countNodes()).toBe(2 * 1_801 + 1);
  expect((await call("GET /api/users")).body.map(({ username }: { username: string }) => username)).toEqual(["admin"]);
  const asked = await node.call("GET /api/drive/tree", { headers: { authorization: `Bearer ${token}` } });
  expect(asked.status).toBe(401);
  expect((await call("DELETE /api/users/usr_member")).status).toBe(404);
  const again = await call("POST /api/users", { username: "member", role: "viewer" });
  expect(again.status).toBe(200);
  await until(() => one("SELECT count(*) AS n FROM users") === 2, { what: "the end of the account" });
  expect(Math.max(...changed)).toBeLessThanOrEqual(1_500);
  expect(await namesIn()).toEqual(["mine"]);
  expect(countNodes()).toBe(1);
});

test("a removal that a kill cut off goes on with the next start", async () => {
  await makeLarge(1_800, "member");
  const { held } = watchParts(true);
  expect((await call("DELETE /api/users/usr_member?with_belongings=true")).status).toBe(204);
  await held();
  expect(one("SELECT count(*) AS n FROM users WHERE id = 'usr_member'")).toBe(1);
  await restart();
  await until(() => one("SELECT count(*) AS n FROM users WHERE id = 'usr_member'") === 0, { what: "the end" });
  expect(countNodes()).toBe(0);
});

test("a search looks at very many names a part at a time, and finds the last changed first", async () => {
  const id = await makeLarge(21_000);
  const find = async (q: string) =>
    (await call(`GET /api/drive/search?q=${q}`)).body.finds.map(({ node: { id } }: { node: DriveNode }) => id);
  const asked = spyOn(node.ctx.db.raw, "query");
  expect(await find("f20999")).toEqual([`${id}20999`]);
  expect(asked.mock.calls.filter(([sql]) => String(sql).includes("instr(s.folded")).length).toBe(3);
  asked.mockRestore();
  // Some of each part.
  expect((await find("f777")).slice(0, 3)).toEqual([`${id}7779`, `${id}7778`, `${id}7777`]);
  expect(await find("nothing")).toEqual([]);
  expect((await call("GET /api/drive/search?q=f")).body).toMatchObject({ more: true });
});
