import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { days, hours } from "../../../lib/duration.ts";
import type { Role } from "../../access.ts";
import { type DriveNode, type DriveVersions, MAX_NODES } from "./contract.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const call = (route: string, body?: unknown, as: Role = "admin") => node.call(route, { as, body });
const makeFolder = async (name: string, parent_id: string | null = null): Promise<DriveNode> =>
  (await call("POST /api/drive/folders", { name, parent_id })).body;

async function upload(name: string, text: string, query = "", as: Role = "admin") {
  const body = new FormData();
  body.set("file", new File([text], name));
  const headers = { authorization: `Bearer ${await node.tokenOf(as)}`, host: "localhost" };
  const request = new Request(`http://localhost/api/drive/upload?${query}`, { method: "POST", headers, body });
  const response = await node.fetch(request);
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const replace = (name: string, text: string, folder = "") =>
  upload(name, text, `replace=true${folder && `&folder_id=${folder}`}`);

async function read(id: string, version = ""): Promise<string> {
  const { headers } = await call(`GET /api/drive/raw/${id}${version && `?version_id=${version}`}`);
  const request = new Request(`http://localhost${headers.get("location")}`, { headers: { host: "localhost" } });
  return await (await node.fetch(request)).text();
}

const versionsOf = async (id: string): Promise<DriveVersions> =>
  (await call(`GET /api/drive/nodes/${id}/versions`)).body;
const stored = (): number => node.ctx.objectStore.findBucket("service-drive")?.object_count ?? 0;
const names = async (folder = ""): Promise<string[]> =>
  (await call(`GET /api/drive/tree${folder && `?folder_id=${folder}`}`)).body.nodes.map(({ name }: DriveNode) => name);

test("what a file held before is a version that can be read, taken back and removed", async () => {
  const { body: file } = await upload("a", "one");
  await node.clock.advance(hours(1));
  const second = (await replace("a", "two")).body;
  expect([second.id, second.size_bytes, second.created_at]).toEqual([file.id, 3, file.created_at]);
  expect(second.changed_at).toBe("2026-01-01T01:00:00.000Z");
  await node.clock.advance(hours(1));
  // The same bytes are no change.
  await replace("a", "two");
  await replace("a", "three");
  const { versions, window_hours, beyond_plan } = await versionsOf(file.id);
  expect([window_hours, beyond_plan, versions.length]).toEqual([24, 0, 2]);
  expect(versions[1]).toMatchObject({ made_at: file.created_at, replaced_at: "2026-01-01T01:00:00.000Z" });
  expect(versions[1]?.expires_at).toBe("2026-01-02T01:00:00.000Z");
  const [, first] = versions.map(({ id }) => id);
  expect([await read(file.id), await read(file.id, first)]).toEqual(["three", "one"]);
  await call(`POST /api/drive/nodes/${file.id}/versions/${first}/restore`);
  expect(await read(file.id)).toBe("one");
  expect((await versionsOf(file.id)).versions).toHaveLength(3);
  expect((await call(`DELETE /api/drive/nodes/${file.id}/versions/${versions[0]?.id}`)).status).toBe(204);
  await node.ctx.jobs.run("drive-purge");
  expect([(await versionsOf(file.id)).versions.length, stored()]).toEqual([2, 2]);
  await call(`DELETE /api/drive/nodes/${file.id}`);
  await call(`DELETE /api/drive/trash/${file.id}`);
  await node.ctx.jobs.run("drive-purge");
  expect(stored()).toBe(0);
});

test("without a word nothing is replaced, and a folder never", async () => {
  await upload("a", "one");
  expect((await upload("a", "two")).body.code).toBe("drive_name_taken");
  await makeFolder("f");
  expect((await replace("f", "two")).body.code).toBe("drive_name_taken");
});

test("what the plan does not reach is not shown, kept for a week and then gone", async () => {
  const { body: file } = await upload("a", "one");
  await replace("a", "two");
  const [version] = (await versionsOf(file.id)).versions;
  await node.clock.advance(hours(24));
  expect(await versionsOf(file.id)).toMatchObject({ versions: [], beyond_plan: 1 });
  for (const route of [
    `GET /api/drive/raw/${file.id}?version_id=ID`,
    `POST /api/drive/nodes/${file.id}/versions/ID/restore`,
  ])
    expect((await call(route.replace("ID", version?.id ?? ""))).body.code).toBe("drive_version_not_found");
  await node.clock.advance(days(7) - 1);
  await node.ctx.jobs.run("drive-purge");
  expect(stored()).toBe(2);
  await node.clock.advance(1);
  await node.ctx.jobs.run("drive-purge");
  expect(stored()).toBe(1);
});

test("nobody reads, takes back or removes versions of another, nor moves, copies or finds what is theirs", async () => {
  const { body: file } = await upload("a", "one");
  await replace("a", "two");
  const [version] = (await versionsOf(file.id)).versions;
  const tries: [string, unknown?][] = [
    [`GET /api/drive/nodes/${file.id}/versions`],
    [`GET /api/drive/raw/${file.id}?version_id=${version?.id}`],
    [`POST /api/drive/nodes/${file.id}/versions/${version?.id}/restore`],
    [`DELETE /api/drive/nodes/${file.id}/versions/${version?.id}`],
    [`POST /api/drive/nodes/${file.id}/copy`, { parent_id: null }],
    [`PATCH /api/drive/nodes/${file.id}`, { starred: true }],
  ];
  for (const [route, body] of tries) expect((await call(route, body, "member")).body.code).toBe("drive_not_found");
  const mine = (await upload("mine", "x", "", "member")).body;
  const folder = await makeFolder("f");
  for (const parent_id of [folder.id, file.id]) {
    expect((await call(`PATCH /api/drive/nodes/${mine.id}`, { parent_id }, "member")).body.code).toBe(
      "drive_not_found",
    );
    expect((await call(`POST /api/drive/nodes/${mine.id}/copy`, { parent_id }, "member")).body.code).toBe(
      "drive_not_found",
    );
  }
  expect((await call("GET /api/drive/search?q=a", undefined, "member")).body.finds).toEqual([]);
});

test("a folder moves with what is in it, never into itself, onto a taken name or too deep", async () => {
  const [a, b] = [await makeFolder("a"), await makeFolder("b")];
  const inner = await makeFolder("inner", a.id);
  await upload("x", "1", `folder_id=${inner.id}`);
  expect((await call(`PATCH /api/drive/nodes/${a.id}`, { parent_id: inner.id })).body.code).toBe("drive_into_itself");
  expect((await call(`PATCH /api/drive/nodes/${a.id}`, { parent_id: a.id })).body.code).toBe("drive_into_itself");
  expect((await call(`PATCH /api/drive/nodes/${a.id}`, { parent_id: b.id, name: "c" })).body).toMatchObject({
    parent_id: b.id,
    name: "c",
  });
  expect([await names(), await names(b.id), await names(inner.id)]).toEqual([["b"], ["c"], ["x"]]);
  await makeFolder("c");
  expect((await call(`PATCH /api/drive/nodes/${a.id}`, { parent_id: null })).body.code).toBe("drive_name_taken");
  expect((await call(`PATCH /api/drive/nodes/${a.id}`, {})).status).toBe(400);
  let deep = await makeFolder("deep");
  for (let level = 1; level < 63; level += 1) deep = await makeFolder("d", deep.id);
  expect((await call(`PATCH /api/drive/nodes/${b.id}`, { parent_id: deep.id })).body.code).toBe("drive_too_deep");
  expect((await call(`POST /api/drive/nodes/${b.id}/copy`, { parent_id: deep.id })).body.code).toBe("drive_too_deep");
});

test("a copy has all of its own but the bytes, and finds a name", async () => {
  const folder = await makeFolder("plans");
  const { body: file } = await upload("a.tar.gz", "1", `folder_id=${folder.id}`);
  await upload("gone", "2", `folder_id=${folder.id}`);
  await call(`DELETE /api/drive/nodes/${(await call(`GET /api/drive/tree?folder_id=${folder.id}`)).body.nodes[1].id}`);
  const copy = await call(`POST /api/drive/nodes/${folder.id}/copy`, { parent_id: null });
  expect([copy.status, copy.body.name]).toEqual([201, "plans (2)"]);
  expect(await names(copy.body.id)).toEqual(["a.tar.gz"]);
  const second = (await call(`POST /api/drive/nodes/${file.id}/copy`, { parent_id: folder.id })).body;
  expect(second.name).toBe("a.tar (2).gz");
  await replace("a.tar.gz", "changed", folder.id);
  expect([await read(second.id), await read(file.id)]).toEqual(["1", "changed"]);
  expect(
    (await call(`POST /api/drive/nodes/${file.id}/copy`, { parent_id: folder.id, name: "a.tar (2).gz" })).body.code,
  ).toBe("drive_name_taken");
});

test("a copy that does not fit is refused before it is read", async () => {
  const folder = await makeFolder("many");
  node.ctx.db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       SELECT 'drv_many' || at, d.user_id, d.id, 'f' || at, 'f' || at, 0, 0, 0, 0 FROM n, drive_nodes d WHERE d.id = ?`,
    )
    .run(MAX_NODES - 2, folder.id);
  const asked = spyOn(node.ctx.db.raw, "query");
  expect((await call(`POST /api/drive/nodes/${folder.id}/copy`, { parent_id: null })).body.code).toBe("drive_limit");
  expect(asked.mock.calls.filter(([sql]) => String(sql).includes("SELECT n.* FROM below"))).toEqual([]);
  asked.mockRestore();
  expect((await call(`POST /api/drive/nodes/drv_many1/copy`, { parent_id: null })).status).toBe(201);
  expect((await call(`POST /api/drive/nodes/drv_many1/copy`, { parent_id: null })).body.code).toBe("drive_limit");
});

test("names are found by their parts in any case, with where they lie, and what has a star by that", async () => {
  const folder = await makeFolder("Haus");
  const { body: file } = await upload("ÖLHEIZUNG 100%_plan.pdf", "1", `folder_id=${folder.id}`);
  await upload("other", "2");
  const find = async (q: string) =>
    (await call(`GET /api/drive/search?${q}`)).body.finds.map(({ node: { name } }: { node: DriveNode }) => name);
  expect((await call("GET /api/drive/search?q=plan%20ölheiz")).body.finds).toMatchObject([
    { node: { id: file.id }, path: [{ id: folder.id, name: "Haus" }] },
  ]);
  expect([await find("q=%25_"), await find("q=%25%25"), await find("q="), await find("q=haus")]).toEqual([
    [file.name],
    [],
    [],
    ["Haus"],
  ]);
  await call(`PATCH /api/drive/nodes/${file.id}`, { starred: true });
  expect([await find("starred=true"), await find("starred=true&q=other")]).toEqual([[file.name], []]);
  await call(`DELETE /api/drive/nodes/${folder.id}`);
  expect([await find("q=plan"), await find("starred=true")]).toEqual([[], []]);
});
