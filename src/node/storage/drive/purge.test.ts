import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days } from "../../../lib/duration.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const countNodes = (): number =>
  node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM drive_nodes").get()?.n ?? -1;

/** A folder in the trash with so many folders in it, each in the one before or in the first. */
async function trashMany(count: number): Promise<string> {
  const { id } = (await call("POST /api/drive/folders", { name: "many", parent_id: null })).body;
  node.ctx.db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       SELECT 'many' || at, d.user_id, CASE WHEN at % 40 = 1 THEN d.id ELSE 'many' || (at - 1) END, 'f' || at, 'f' || at, 0, 0, 0, 0
       FROM n, drive_nodes d WHERE d.id = ?`,
    )
    .run(count, id);
  expect((await call(`DELETE /api/drive/nodes/${id}`)).status).toBe(204);
  return id;
}

test("a folder with very much in it leaves the trash at once, and the disk a part at a time", async () => {
  const id = await trashMany(3_500);
  const { db } = node.ctx;
  const changes = () => db.raw.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? 0;
  const changed: number[] = [];
  const aside = db.txAside.bind(db);
  const parts = spyOn(db, "txAside").mockImplementation((fn) =>
    aside(() => {
      const before = changes();
      const made = fn();
      changed.push(changes() - before);
      return made;
    }),
  );
  expect((await call(`DELETE /api/drive/trash/${id}`)).status).toBe(204);
  expect((await call("GET /api/drive/trash")).body.nodes).toEqual([]);
  expect((await call(`POST /api/drive/trash/${id}/restore`)).status).toBe(404);
  expect((await call(`DELETE /api/drive/trash/${id}`)).status).toBe(404);
  await until(() => countNodes() === 0, { what: "the end of the folder" });
  expect(changed.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...changed)).toBeLessThanOrEqual(1_000);
  parts.mockRestore();
});

test("what was cut off on its way out, and what is old, goes with the next look", async () => {
  const first = await trashMany(1_500);
  node.ctx.db.raw.query("UPDATE drive_nodes SET trashed_at = 0 WHERE id = ?").run(first);
  await call("POST /api/drive/folders", { name: "stays", parent_id: null });
  await node.ctx.jobs.run("drive-purge");
  expect(countNodes()).toBe(1);
  const { id } = (await call("POST /api/drive/folders", { name: "old", parent_id: null })).body;
  await call(`DELETE /api/drive/nodes/${id}`);
  await node.clock.advance(days(31));
  await node.ctx.jobs.run("drive-purge");
  expect(countNodes()).toBe(1);
});

test("a file with very many versions goes a part at a time, too", async () => {
  const { id } = (await call("POST /api/drive/folders", { name: "many", parent_id: null })).body;
  node.ctx.db.raw
    .query(
      `INSERT INTO drive_versions (id, node_id, sha256, size_bytes, made_at, replaced_at)
       WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 900) SELECT 'v' || at, ?, 'x', 0, at, at FROM n`,
    )
    .run(id);
  await call(`DELETE /api/drive/nodes/${id}`);
  const parts = spyOn(node.ctx.db, "txAside");
  await call(`DELETE /api/drive/trash/${id}`);
  await until(() => countNodes() === 0, { what: "the end of the file" });
  expect(parts.mock.calls.length).toBe(2);
  parts.mockRestore();
});
