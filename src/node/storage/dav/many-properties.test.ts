import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { type DavNode, openDavNode } from "../../../../tests/kit/dav-node.ts";
import { until } from "../../../../tests/kit/until.ts";

let world: DavNode;
beforeEach(async () => {
  world = await openDavNode();
});
afterEach(() => world.close());

const one = (sql: string): number => world.node.ctx.db.raw.query<{ n: number }, []>(sql).get()?.n ?? 0;
const countProperties = (): number => one("SELECT count(*) AS n FROM dav_properties");
const COST = "256 + octet_length(element) + 2 * (octet_length(namespace) + octet_length(name))";

/** Small properties by their numbers. */
const propertiesOf = (count: number): string => Array.from({ length: count }, (_, at) => `<p${at} xmlns=""/>`).join("");
const patch = (path: string, inside: string) =>
  world.dav(`PROPPATCH ${path}`, {
    body: `<D:propertyupdate xmlns:D="DAV:">${inside}</D:propertyupdate>`,
  });

/** A folder of so many files that keep two hundred properties each. */
async function fill(files: number): Promise<void> {
  await world.dav("MKCOL /d");
  await world.dav("PUT /d/a", { body: "x" });
  expect((await patch("/d/a", `<D:set><D:prop>${propertiesOf(200)}</D:prop></D:set>`)).status).toBe(207);
  const { raw } = world.node.ctx.db;
  raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, sha256, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 2 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       SELECT 'drv_many' || at, d.user_id, d.parent_id, 'f' || at, 'f' || at, 1, d.sha256, 1, 0, 0
       FROM n, drive_nodes d WHERE d.name = 'a'`,
    )
    .run(files);
  raw.run(`INSERT INTO dav_properties (user_id, node_id, namespace, name, element)
    SELECT p.user_id, n.id, p.namespace, p.name, p.element FROM dav_properties p, drive_nodes n WHERE n.id LIKE 'drv_many%'`);
}

test("a folder whose files keep much is copied and removed in steps of rows", async () => {
  await fill(20);
  const steps = spyOn(world.node.ctx.db, "txAside");
  const copied = await world.dav("COPY /d", { headers: { destination: "/dav/drive/e" } });
  expect([copied.status, countProperties()]).toEqual([201, 8_000]);
  // No more than two files with their properties fit into one.
  expect(steps.mock.calls.length).toBeGreaterThanOrEqual(10);
  steps.mockClear();
  expect((await world.dav("DELETE /e")).status).toBe(204);
  const [gone] = (await world.node.call("GET /api/drive/trash", { as: "admin" })).body.nodes;
  expect((await world.node.call(`DELETE /api/drive/trash/${gone.id}`, { as: "admin" })).status).toBe(204);
  await until(() => countProperties() === 4_000, { what: "the properties of the copy to go" });
  expect(steps.mock.calls.length).toBeGreaterThanOrEqual(8);
  steps.mockRestore();
  expect(one(`SELECT size_bytes - (SELECT sum(${COST}) FROM dav_properties) AS n FROM dav_property_sums`)).toBe(0);
});

test("small properties count with their rows, and what does not fit is refused before it is written", async () => {
  await fill(700);
  const { raw } = world.node.ctx.db;
  const changes = (): number => one("SELECT total_changes() AS n");
  const before = changes();
  const refused = await world.dav("COPY /d", { headers: { destination: "/dav/drive/e" } });
  expect([refused.status, refused.text]).toEqual([507, expect.stringContaining("dav_property_limit")]);
  expect(changes() - before).toBeLessThan(100);
  raw.run("DELETE FROM dav_properties WHERE node_id LIKE 'drv_many%'");
  expect((await world.dav("COPY /d", { headers: { destination: "/dav/drive/e" } })).status).toBe(201);
});

test("thousands of properties in one request are refused before they are written, and of one that comes twice the last remains", async () => {
  await world.dav("PUT /a", { body: "x" });
  const changes = (): number => one("SELECT total_changes() AS n");
  const before = changes();
  const many = await patch("/a", `<D:set><D:prop>${propertiesOf(4_000)}</D:prop></D:set>`);
  expect([many.status, changes() - before < 100]).toEqual([507, true]);
  const twice = `<D:set><D:prop><p0 xmlns="">1</p0></D:prop></D:set><D:remove><D:prop><p0 xmlns=""/></D:prop></D:remove>`;
  await patch("/a", `${twice}<D:set><D:prop><p1 xmlns="">1</p1><p1 xmlns="">2</p1></D:prop></D:set>`);
  expect(one("SELECT count(*) AS n FROM dav_properties WHERE name = 'p1' AND element LIKE '%2%'")).toBe(1);
  expect(countProperties()).toBe(1);
});
