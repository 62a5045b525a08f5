import { afterEach, beforeEach, expect, test } from "bun:test";
import { type DavNode, openDavNode } from "../../../../tests/kit/dav-node.ts";
import { MAX_DEPTH } from "./contract.ts";

let world: DavNode;
beforeEach(async () => {
  world = await openDavNode();
});
afterEach(() => world.close());

const call = (route: string, body?: unknown) => world.node.call(route, { as: "admin", body });
const makeFolder = async (name: string, parent_id: string | null = null): Promise<string> =>
  (await call("POST /api/drive/folders", { name, parent_id })).body.id;

/** Folders in one another, written as they lie; gives their ids, the topmost first. */
async function chain(name: string, levels: number): Promise<string[]> {
  const ids = [await makeFolder(name)];
  for (let level = 1; level < levels; level += 1) {
    const id = `drv_${name}_${level}`;
    world.node.ctx.db.raw
      .query(
        `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, size_bytes, created_at, changed_at)
         SELECT ?, user_id, id, ?2, ?2, 0, 0, 0, 0 FROM drive_nodes WHERE id = ?`,
      )
      .run(id, `${name}${level}`, ids.at(-1) ?? "");
    ids.push(id);
  }
  return ids;
}

const depthOf = async (id: string): Promise<number> =>
  (await call(`GET /api/drive/tree?folder_id=${id}`)).body.path?.length ?? 0;

/** The most levels that any node has above it, itself counted, whatever of it is in the trash. */
const deepest = (): number =>
  world.node.ctx.db.raw
    .query<{ n: number }, []>(
      `WITH RECURSIVE down (id, n) AS (
         SELECT id, 1 FROM drive_nodes WHERE parent_id IS NULL AND trashed_at IS NULL
         UNION ALL SELECT c.id, n + 1 FROM down JOIN drive_nodes c ON c.parent_id = down.id AND c.trashed_at IS NULL
       ) SELECT max(n) AS n FROM down`,
    )
    .get()?.n ?? 0;

test("what comes out of the trash lies no deeper than anything else", async () => {
  const low = await chain("low", 63);
  const up = await chain("up", 63);
  await call(`DELETE /api/drive/nodes/${low[1]}`);
  expect((await call(`PATCH /api/drive/nodes/${low[0]}`, { parent_id: up.at(-1) })).status).toBe(200);
  const restored = await call(`POST /api/drive/trash/${low[1]}/restore`);
  expect([restored.status, restored.body.parent_id, deepest()]).toEqual([200, null, MAX_DEPTH]);
  // Where it fits, it goes to where it was.
  await call(`DELETE /api/drive/nodes/${up[60]}`);
  expect((await call(`POST /api/drive/trash/${up[60]}/restore`)).body.parent_id).toBe(up[59]);
});

test("no way of making, moving or copying leads below the last level", async () => {
  const way = await chain("way", MAX_DEPTH);
  const last = way.at(-1) ?? "";
  const path = `/${["way", ...way.slice(1).map((_, at) => `way${at + 1}`)].join("/")}`;
  const [file, folder] = [await makeFolder("file"), await makeFolder("folder")];
  await world.dav("PUT /x", { body: "x" });
  const to = { headers: { destination: `/dav/drive${path}/new` } };
  const refused = [
    await call("POST /api/drive/folders", { name: "new", parent_id: last }),
    await call("POST /api/drive/upload/init", { name: "new", folder_id: last, size_bytes: 1 }),
    await call(`PATCH /api/drive/nodes/${file}`, { parent_id: last }),
    await call(`POST /api/drive/nodes/${folder}/copy`, { parent_id: last }),
  ].map(({ body }) => body.code);
  const byDav = [
    await world.dav(`MKCOL ${path}/new`),
    await world.dav(`PUT ${path}/new`, { body: "x" }),
    await world.dav("COPY /x", to),
    await world.dav("COPY /folder", to),
    await world.dav("MOVE /x", to),
    await world.dav("MOVE /folder", to),
  ].map(({ text }) => /drive_\w+/.exec(text)?.[0]);
  expect([...refused, ...byDav]).toEqual(Array.from({ length: 10 }, () => "drive_too_deep"));
  expect(deepest()).toBe(MAX_DEPTH);
});

test("folders that lie too deep already cost no more than others, and are found again once they are moved up", async () => {
  const way = await chain("way", 400);
  const at = (level: number): string => way[level - 1] ?? "";
  expect(await depthOf(at(MAX_DEPTH))).toBe(MAX_DEPTH);
  for (const level of [MAX_DEPTH + 1, 200, 400]) expect(await depthOf(at(level))).toBe(0);
  expect((await call("GET /api/drive/search?q=way399")).body.finds).toEqual([]);
  expect((await call(`PATCH /api/drive/nodes/${at(2)}`, { parent_id: await makeFolder("other") })).status).toBe(200);
  const deeper = await call(`PATCH /api/drive/nodes/${at(2)}`, { parent_id: at(1) });
  expect(deeper.status).toBe(200);
  const down = await chain("down", 3);
  expect((await call(`PATCH /api/drive/nodes/${at(2)}`, { parent_id: down[2] })).body.code).toBe("drive_too_deep");
  expect((await call(`POST /api/drive/nodes/${at(2)}/copy`, { parent_id: null })).body.code).toBe("drive_too_deep");
  for (let level = MAX_DEPTH; level < 400; level += MAX_DEPTH - 1)
    expect((await call(`PATCH /api/drive/nodes/${at(level)}`, { parent_id: null })).status).toBe(200);
  expect(deepest()).toBeLessThanOrEqual(MAX_DEPTH);
  await call(`DELETE /api/drive/nodes/${at(1)}`);
  expect((await call(`DELETE /api/drive/trash/${at(1)}`)).status).toBe(204);
});

test("a wide folder is measured a part at a time before it goes further down", async () => {
  const [wide = "", ...below] = await chain("wide", 60);
  world.node.ctx.db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 3000)
       SELECT 'drv_many' || at, d.user_id, d.id, 'f' || at, 'f' || at, 0, 0, 0, 0 FROM n, drive_nodes d WHERE d.id = ?`,
    )
    .run(wide);
  const down = await chain("down", 5);
  let turns = 0;
  const ticks = setInterval(() => {
    turns += 1;
  }, 0);
  const move = await call(`PATCH /api/drive/nodes/${wide}`, { parent_id: down[4] });
  clearInterval(ticks);
  expect([move.body.code, turns > 3]).toEqual(["drive_too_deep", true]);
  const byDav = await world.dav("MOVE /wide", {
    headers: { destination: "/dav/drive/down/down1/down2/down3/down4/w" },
  });
  expect(byDav.text).toContain("drive_too_deep");
  // What is in the trash does not count.
  await call(`DELETE /api/drive/nodes/${below[40]}`);
  expect((await call(`PATCH /api/drive/nodes/${wide}`, { parent_id: down[4] })).status).toBe(200);
  const restored = await call(`POST /api/drive/trash/${below[40]}/restore`);
  expect([restored.body.parent_id, deepest()]).toEqual([null, 46]);
});
