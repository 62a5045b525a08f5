import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asOther, bytesOf, MIB, makePlace } from "../../../../tests/kit/drop-off.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { until } from "../../../../tests/kit/until.ts";

const filled = async (node: TestNode) => {
  const [{ used_bytes }] = (await node.call("GET /api/backup/drop-offs", { as: "admin" })).body;
  const row = node.ctx.db.raw.query<{ files: number }, []>("SELECT files FROM drop_offs").get();
  return { used_bytes, files: row?.files };
};

test("room is given back once for each file, whoever writes and removes the same names at the same time", async () => {
  const node = createTestNode({ session_rate: "1000000" });
  const { key } = await makePlace(node);
  const other = asOther(node, key);
  for (const name of ["packs/aa/kept", "packs/aa/gone"]) await other.put(name, bytesOf(MIB));
  await Promise.all(Array.from({ length: 20 }, () => other.remove("packs/aa/gone")));
  expect(await filled(node)).toEqual({ used_bytes: MIB, files: 1 });
  const names = ["packs/aa/one", "leases/1", "probes/x", "LEASES/1", "leases/A", "leases/a"];
  const crowd = Array.from({ length: 120 }, (_, at) => {
    const name = names[at % names.length] ?? "";
    return at % 4 < 2 ? other.put(name, bytesOf(1 + (at % 5) * 8_000, at)) : other.remove(name);
  });
  await Promise.all(crowd);
  const counted = await filled(node);
  for (const part of node.ctx.parts) if (part.feature?.name === "drop-offs") await part.start?.();
  expect(counted).toEqual(await filled(node));
  for (const name of [...names, "packs/aa/kept"]) await other.remove(name);
  expect(await filled(node)).toEqual({ used_bytes: 0, files: 0 });
  node.close();
});

test("empty files take room, too, and a place has an end of them", async () => {
  const node = createTestNode();
  const { key } = await makePlace(node);
  const other = asOther(node, key);
  for (const name of ["packs/aa/1", "packs/aa/2"]) expect((await other.put(name, bytesOf(0))).status).toBe(200);
  expect(await filled(node)).toEqual({ used_bytes: 2 * 4096, files: 2 });
  node.ctx.db.raw.run("UPDATE drop_offs SET used_bytes = quota_bytes - 4095");
  expect((await other.put("packs/aa/3", bytesOf(0))).body.code).toBe("drop_full");
  node.ctx.db.raw.run("UPDATE drop_offs SET used_bytes = 8192, files = 500000");
  const { status, body } = await other.put("packs/aa/3", bytesOf(0));
  expect([status, body.code]).toEqual([507, "drop_files"]);
  await other.remove("packs/aa/1");
  expect((await other.put("packs/aa/3", bytesOf(0))).status).toBe(200);
  node.close();
});

test("what has come in part is within the quota of its place, and goes with it", async () => {
  const node = createTestNode();
  const { key, drop } = await makePlace(node);
  const other = asOther(node, key);
  const { quota_bytes } = (await node.call("GET /api/backup/drop-offs", { as: "admin" })).body[0];
  node.ctx.db.raw.run("UPDATE drop_offs SET used_bytes = ?", [quota_bytes - 3 * MIB]);
  const halves = () => readdirSync(join(node.dataDir, "drop-offs", "incoming"));
  const half = (name: string) => other.put(name, bytesOf(MIB), { size: 2 * MIB });
  for (const name of ["packs/aa/1", "packs/aa/2", "packs/aa/3"]) expect((await half(name)).status).toBe(200);
  // The one before gave way: with what the third may become there would be more than a quota.
  expect(halves()).toHaveLength(2);
  expect((await other.put("packs/aa/4", bytesOf(4 * MIB))).body.code).toBe("drop_full");
  await node.call(`DELETE /api/backup/drop-offs/${drop.id}?delete_data=true`, { as: "admin" });
  expect(halves()).toEqual([]);
  node.close();
});

test("a place takes no folders without end, and what comes in is not to be seen or removed", async () => {
  const node = createTestNode();
  const { key, drop } = await makePlace(node);
  const other = asOther(node, key);
  for (const name of ["a/b", "packs/aa/b/c", "packs/new/c", "else", "incoming/1-1"])
    expect([name, (await other.put(name, bytesOf(1))).body?.code]).toEqual([name, "drop_name"]);
  mkdirSync(join(drop.path, "incoming"));
  writeFileSync(join(drop.path, "incoming", "1-1"), "half");
  expect((await other.list("incoming")).body).toEqual([]);
  expect((await other.remove("incoming/1-1")).body.code).toBe("drop_name");
  expect(readdirSync(drop.path)).toEqual(["incoming"]);
  node.close();
});

test("two lists of a place leave at a time, in pieces; each ends when nobody waits for it any more", async () => {
  const node = createTestNode({ session_rate: "1000000" });
  const { key, drop } = await makePlace(node);
  const other = asOther(node, key);
  mkdirSync(join(drop.path, "packs", "aa"), { recursive: true });
  const names = Array.from({ length: 3_000 }, (_, at) => `packs/aa/${String(at).padStart(64, "0")}`);
  for (const name of names) writeFileSync(join(drop.path, name), "");
  const open = () => readdirSync("/proc/self/fd").filter((fd) => isBelow(drop.path, fd)).length;
  const ask = (signal?: AbortSignal) =>
    node.fetch(
      new Request("http://localhost/api/drop-off/files?folder=packs", {
        headers: { authorization: `Bearer ${key}` },
        ...(signal && { signal }),
      }),
    );
  const [slow, slower] = [await ask(), await ask()];
  expect([slow.status, slower.status]).toEqual([200, 200]);
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
  expect(await refused.json()).toMatchObject({ code: "drop_listed" });
  for (const { body } of [slow, slower]) await body?.cancel();
  const isOver = () => until(() => open() === 0, { what: "the end of the list that nobody waits for" });
  await isOver();
  const hangUp = new AbortController();
  const left = await ask(hangUp.signal);
  expect([left.status, open() > 0]).toEqual([200, true]);
  hangUp.abort();
  await isOver();
  const { body } = await other.list("packs");
  expect(body.map(({ name }: { name: string }) => name).sort()).toEqual(names);
  node.close();
});

/** Whether a descriptor of this process is of something below a folder. */
function isBelow(folder: string, fd: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
  } catch {
    return false;
  }
}
