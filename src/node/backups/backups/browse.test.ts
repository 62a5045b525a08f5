import { expect, test } from "bun:test";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import { takeLease } from "../engine/lease.ts";
import { openLocalFolder } from "../engine/local-folder.ts";
import { createRepository, openRepository } from "../engine/repository.ts";
import { writeSnapshot, writeStream } from "../engine/snapshot.ts";

const KIT = "ABCD-EFGH-JKLM-NPQR-STUV-WXYZ-2345-6789";
const AT = { app: "app_1", volume: "files" };
const LONG = `${"a long folder/".repeat(9)}ünd its file.txt`;

function tar(folder: string, format: string): Uint8Array {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["tar", `--format=${format}`, "-C", folder, "-cf", "-", "data"]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  return new Uint8Array(stdout);
}

function makeFiles(): string {
  const root = makeScratch("volume");
  const at = (path: string) => join(root, "data", path);
  mkdirSync(at(LONG.slice(0, LONG.lastIndexOf("/"))), { recursive: true });
  mkdirSync(at("docs/deep"), { recursive: true });
  writeFileSync(at(LONG), "far away");
  writeFileSync(at("docs/note.txt"), "hello");
  writeFileSync(at("docs/empty"), "");
  writeFileSync(at("docs/deep/big.bin"), Buffer.alloc(2_500_000, "0123456789abcdef-"));
  linkSync(at("docs/note.txt"), at("twin.txt"));
  symlinkSync("/etc/passwd", at("outside"));
  for (const path of ["docs/note.txt", "docs/deep/big.bin"]) utimesSync(at(path), 1_000_000, 1_000_000);
  return root;
}

/** A node with a target that has these archives of a volume as backups `bak_1`, `bak_2`, … of another server. */
async function nodeWith(archives: readonly Uint8Array[]): Promise<{ node: TestNode; path: string }> {
  const path = makeScratch("target");
  const target = openLocalFolder(path);
  const key = await createRepository(target, KIT, null);
  const lease = await takeLease(target, "tests", () => 0);
  const repository = await openRepository(target, key, lease);
  for (const [number, archive] of archives.entries()) {
    const stream = writeStream(repository);
    await stream.write(archive);
    const part = { kind: "volume" as const, app: "app_1", name: "files", ...(await stream.end()).stream };
    await writeSnapshot(target, repository, lease, {
      version: 1,
      id: `bak_${number + 1}`,
      created_at: `2026-01-0${number + 1}T03:04:05.000Z`,
      node: { name: "atlas", version: "1" },
      apps: [{ id: "app_1", name: "notes", template: "notes", version: "1", images: {} }],
      parts: [part],
    });
  }
  const node = createTestNode();
  const body = { type: "local", name: "disk", path, recovery_key: KIT };
  expect((await node.call("POST /api/backup/targets", { as: "admin", body })).status).toBe(200);
  return { node, path };
}

const get = (node: TestNode, path: string, query: Record<string, string> = {}) =>
  node.call(`GET ${path}?${new URLSearchParams(query)}`, { as: "admin" });

const overOf = (node: TestNode, opId: string): Promise<string> =>
  until(() => {
    const { status } = node.ctx.operations.get(opId);
    return status === "running" ? null : status;
  });

async function look(node: TestNode, id: string): Promise<string> {
  const { body } = await node.call(`POST /api/backups/${id}/browse`, { as: "admin" });
  return body.op_id === null ? "known" : await overOf(node, body.op_id);
}

/** What all of these hold are letters of ASCII. */
async function bytesOf(node: TestNode, path: string) {
  const { headers, body } = await get(node, "/api/backups/bak_1/download", { ...AT, path });
  return { headers, bytes: Buffer.from(body) };
}

test.each(["gnu", "pax"])("a backup is opened, walked, and its files come out bit by bit (%s)", async (format) => {
  const folder = makeFiles();
  const { node } = await nodeWith([tar(folder, format)]);
  expect((await get(node, "/api/backups/bak_1/files", AT)).body.code).toBe("backup_not_read");
  expect([await look(node, "bak_1"), await look(node, "bak_1")]).toEqual(["done", "known"]);
  const [volume] = (await get(node, "/api/backups/bak_1/volumes")).body;
  expect(volume).toMatchObject({ ...AT, app_name: "notes", is_here: false, entries: 17 });
  const list = async (more: Record<string, string>) =>
    (await get(node, "/api/backups/bak_1/files", { ...AT, ...more })).body;
  const top = await list({});
  expect(top.files.map(({ name, kind, size_bytes }: never) => [name, kind, size_bytes])).toEqual([
    ["a long folder", "folder", 0],
    ["docs", "folder", 0],
    ["outside", "link", 0],
    ["twin.txt", "file", 5],
  ]);
  expect(top.files[2].link).toBe("/etc/passwd");
  const page = await list({ path: "docs", from: "1", limit: "2" });
  expect([page.total, page.next, page.files.map(({ name }: never) => name)]).toEqual([3, null, ["empty", "note.txt"]]);
  expect((await list({ path: "docs", limit: "1" })).next).toBe(1);
  expect((await list({ path: "nowhere" })).code).toBe("backup_file_not_found");

  for (const path of ["docs/deep/big.bin", "docs/note.txt", "docs/empty", "twin.txt", LONG]) {
    const { headers, bytes } = await bytesOf(node, path);
    expect(bytes.equals(readFileSync(join(folder, "data", path)))).toBe(true);
    expect(headers.get("content-length")).toBe(String(bytes.length));
    expect(headers.get("content-disposition")).toStartWith("attachment;");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
  const out = makeScratch("out");
  writeFileSync(join(out, "docs.tar"), (await bytesOf(node, "docs")).bytes);
  expect(Bun.spawnSync(["tar", "-C", out, "-xf", join(out, "docs.tar")]).exitCode).toBe(0);
  expect(Bun.spawnSync(["diff", "-r", join(folder, "data/docs"), join(out, "data/docs")]).exitCode).toBe(0);
  expect((await get(node, "/api/backups/bak_1/download", { ...AT, path: "outside" })).body.code).toBe(
    "backup_file_kind",
  );
  expect(node.events.filter(({ name }) => name === "backup.file_downloaded").length).toBe(6);
  node.close();
});

test("two backups are compared, all are read for a search, and a word finds each file once with its states", async () => {
  const folder = makeFiles();
  const before = tar(folder, "pax");
  writeFileSync(join(folder, "data/docs/note.txt"), "hello again");
  writeFileSync(join(folder, "data/docs/new note"), "new");
  const { node } = await nodeWith([before, before, tar(folder, "pax")]);
  for (const id of ["bak_1", "bak_2"]) expect(await look(node, id)).toBe("done");
  const search = async (q = "NOTE") => (await get(node, "/api/backup/search", { q })).body;
  const early = await search();
  expect([early.searched, early.unread, early.has_more, early.reading]).toEqual([2, ["bak_3"], false, null]);
  const states = ({ files }: { files: { path: string; versions: Record<string, unknown>[] }[] }) =>
    files
      .toSorted((left, right) => (left.path < right.path ? -1 : 1))
      .map(({ path, versions }) => [
        path,
        ...versions.map((one) => [one["backup_id"], one["size_bytes"], one["backups"]]),
      ]);
  expect(states(early)).toEqual([["docs/note.txt", ["bak_2", 5, 2]]]);

  const read = (await node.call("POST /api/backup/search/read", { as: "admin" })).body;
  expect(await overOf(node, read.op_id)).toBe("done");
  expect((await node.call("POST /api/backup/search/read", { as: "admin" })).body.op_id).toBe(null);
  const all = await search();
  expect([all.searched, all.unread]).toEqual([3, []]);
  expect(states(all)).toEqual(
    [
      ["docs/note.txt", ["bak_3", 11, 1], ["bak_2", 5, 2]],
      ["docs/new note", ["bak_3", 3, 1]],
    ].sort(),
  );
  expect(states(await search("twin"))).toEqual([["twin.txt", ["bak_3", 11, 1], ["bak_2", 5, 2]]]);
  expect((await search("nowhere")).files).toEqual([]);
  const { body } = await get(node, "/api/backups/bak_3/changes", { ...AT, against: "bak_1" });
  expect([body.added, body.removed]).toEqual([1, 0]);
  expect(body.changes).toContainEqual({
    path: "docs/new note",
    change: "added",
    kind: "file",
    size_before: null,
    size_after: 3,
  });
  expect(body.changes).toContainEqual({
    path: "docs/note.txt",
    change: "changed",
    kind: "file",
    size_before: 5,
    size_after: 11,
  });
  const same = (await get(node, "/api/backups/bak_2/changes", { ...AT, against: "bak_1" })).body;
  expect([same.added, same.removed, same.changed, same.unchanged]).toEqual([0, 0, 0, 17]);
  node.close();
});

test("names that lead out, archives that are cut and packs that are gone are said to be damaged; members see nothing", async () => {
  const folder = makeFiles();
  const good = tar(folder, "gnu");
  const evil = Buffer.from(good);
  const at = evil.indexOf("data/docs/note.txt");
  evil.write("data/../../ev.txt", at);
  evil.fill(32, at + 148, at + 156);
  const sum = evil.subarray(at, at + 512).reduce((all, byte) => all + byte, 0);
  evil.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148);
  const { node, path } = await nodeWith([evil, good]);
  expect(await look(node, "bak_1")).toBe("failed");
  expect((await get(node, "/api/backups/bak_1/volumes")).body.code).toBe("backup_not_read");
  for (const pack of readdirSync(join(path, "packs"), { recursive: true, encoding: "utf8" }))
    if (pack.length > 60) truncateSync(join(path, "packs", pack), 100);
  expect(await look(node, "bak_2")).toBe("failed");
  expect((await node.call("POST /api/backups/bak_1/browse", { as: "member" })).status).toBe(403);
  expect((await node.call("GET /api/backup/search?q=x", { as: "member" })).status).toBe(403);
  const all = (await node.call("POST /api/backup/search/read", { as: "admin" })).body;
  expect(await overOf(node, all.op_id)).toBe("failed");
  expect((await get(node, "/api/backups/bak_none/volumes")).body.code).toBe("backup_not_found");
  node.close();
});
