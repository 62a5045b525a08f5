import { expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "../../../../tests/kit/env.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeRestic, RESTIC_PASSWORD, type ResticProgram, resticFiles } from "../../../../tests/kit/restic.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";

/** Bytes that are no text: a name that came from an old system. */
const LATIN = Buffer.from("caf\xe9", "latin1");
const ODD = ["with space", "ünï ✓", "quote\"'", "back\\slash", "line\nbreak", "-rf", "per%cent", "\\x41"];

const pathOf = (root: string, ...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat([Buffer.from(root), ...parts.flatMap((part) => [Buffer.from("/"), Buffer.from(part)])]);

/** Bytes that no compressor makes smaller, the same each time. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

function makeFiles(): string {
  const root = join(makeScratch("files"), "tree");
  mkdirSync(join(root, "docs/deep/empty folder"), { recursive: true });
  for (const name of ODD) writeFileSync(pathOf(root, "docs", name), `this is ${name}`);
  writeFileSync(pathOf(root, "docs", LATIN), "old");
  writeFileSync(join(root, "empty"), "");
  writeFileSync(join(root, "docs/deep/large.bin"), noise(9_000_000));
  writeFileSync(join(root, "docs/deep/zeros"), Buffer.alloc(3_000_001));
  linkSync(join(root, "docs/deep/zeros"), join(root, "twin"));
  symlinkSync("/etc/passwd", join(root, "outside"));
  symlinkSync("docs/nowhere", join(root, "dangling"));
  chmodSync(join(root, "empty"), 0o4751);
  utimesSync(join(root, "empty"), 1_000_000.25, 1_000_000.25);
  return root;
}

/** All that is in a folder, in words that can be compared. */
function describeTree(root: string): string[] {
  const lines: string[] = [];
  const walk = (folder: Buffer, way: string): void => {
    for (const name of readdirSync(folder, { encoding: "buffer" })) {
      const path = Buffer.concat([folder, Buffer.from("/"), name]);
      const at = `${way}/${name.toString("latin1")}`;
      const stat = lstatSync(path);
      const { mode, mtimeMs, nlink } = stat;
      const said = stat.isFile()
        ? Bun.hash(readFileSync(path)).toString(16)
        : stat.isSymbolicLink()
          ? readlinkSync(path)
          : "folder";
      lines.push(`${at} ${mode.toString(8)} ${stat.isDirectory() ? "" : `${mtimeMs} ${nlink}`} ${said}`);
      if (stat.isDirectory()) walk(path, at);
    }
  };
  walk(Buffer.from(root), "");
  return lines.sort();
}

const get = (node: TestNode, path: string, query: Record<string, string> = {}) =>
  node.call(`GET ${path}?${new URLSearchParams(query)}`, { as: "admin" });

const attach = (node: TestNode, path: string, more: Record<string, unknown> = {}) =>
  node.call("POST /api/backup/restic", {
    as: "admin",
    body: { type: "local", name: "old backups", path, repository_password: RESTIC_PASSWORD, ...more },
  });

const codeIn = (said: unknown): unknown =>
  typeof said === "object" && said !== null && "code" in said ? said.code : said;

/** Damage is told before anything leaves, or by an answer that breaks off. */
async function download(node: TestNode, at: string, snapshot: string, path: string) {
  const query = new URLSearchParams({ path });
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}` };
  const answer = await node.fetch(new Request(`http://node${at}/snapshots/${snapshot}/download?${query}`, { headers }));
  const { status } = answer;
  if (status !== 200)
    return { status, headers: answer.headers, bytes: Buffer.alloc(0), code: codeIn(await answer.json()) };
  try {
    return { status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()), code: undefined };
  } catch (error) {
    return { status, headers: answer.headers, bytes: Buffer.alloc(0), code: codeIn(error) };
  }
}

/** What tar has to say. */
function unpackTar(archive: Buffer, folder: string): string {
  const { exitCode, stderr } = Bun.spawnSync(["tar", "--same-permissions", "-C", folder, "-xf", "-"], {
    stdin: archive,
  });
  return exitCode === 0 ? stderr.toString() : `${exitCode} ${stderr}`;
}

const chmodAll = (paths: readonly string[]): void => {
  for (const path of paths) chmodSync(path, 0o600);
};

async function read(node: TestNode, id: string): Promise<string> {
  const { body } = await node.call(`POST /api/backup/restic/${id}/read`, { as: "admin" });
  return await until(() => {
    const { status, error } = node.ctx.operations.get(body.op_id);
    return status === "running" ? null : (error?.message ?? status);
  });
}

/** A node that has read a repository. */
async function nodeWith({ path }: ResticProgram): Promise<{ node: TestNode; at: string; id: string }> {
  const node = createTestNode();
  const { status, body } = await attach(node, path);
  expect([status, body.code]).toEqual([200, undefined]);
  expect(await read(node, body.id)).toBe("done");
  return { node, id: body.id, at: `/api/backup/restic/${body.id}` };
}

const snapshotsOf = async (node: TestNode, at: string) => (await get(node, `${at}/snapshots`)).body;

suite("restic repositories", ["s3_programs"], () => {
  test.each([1, 2] as const)(
    "what restic wrote in version %d comes back bit by bit",
    async (version) => {
      const program = makeRestic(version);
      const root = makeFiles();
      program.run("backup", "--host", "atlas", "--tag", "nightly,home", root);
      writeFileSync(join(root, "later"), "second");
      program.run("backup", "--host", "atlas", root);
      const before = resticFiles(program, ".");
      const { node, at, id } = await nodeWith(program);
      const { snapshots, total, unreadable } = await snapshotsOf(node, at);
      expect([total, unreadable]).toEqual([2, 0]);
      expect(snapshots[1]).toMatchObject({ host: "atlas", tags: ["nightly", "home"], paths: [root], size_bytes: null });
      const listed = JSON.parse(program.run("snapshots", "--json"));
      expect(snapshots.map((one: { id: string }) => one.id)).toEqual(
        listed.map((one: { id: string }) => one.id).reverse(),
      );
      const [{ id: snapshot }] = snapshots;

      const way = root.slice(1);
      const folder = async (path: string, more: Record<string, string> = {}) =>
        (await get(node, `${at}/snapshots/${snapshot}/files`, { path, ...more })).body;
      const top = await folder(way);
      expect(top.files.map(({ name, kind, size_bytes, link }: never) => [name, kind, size_bytes, link])).toEqual([
        ["docs", "folder", 0, null],
        ["dangling", "link", 0, "docs/nowhere"],
        ["empty", "file", 0, null],
        ["later", "file", 6, null],
        ["outside", "link", 0, "/etc/passwd"],
        ["twin", "file", 3_000_001, null],
      ]);
      expect(top.files[2].changed_at).toBe("1970-01-12T13:46:40.000Z");
      const page = await folder(way, { from: "1", limit: "2" });
      expect([page.total, page.next, page.files.length]).toEqual([6, 3, 2]);
      const docs = await folder(`${way}/docs`);
      expect(docs.files.map(({ name }: { name: string }) => name).sort()).toEqual(["caf\\xe9", "deep", ...ODD].sort());

      const bytesOf = async (path: string) => {
        const { headers, status, bytes } = await download(node, at, snapshot, path);
        expect(status).toBe(200);
        return { headers, bytes };
      };
      for (const { path, name } of docs.files.filter(({ kind }: { kind: string }) => kind === "file")) {
        const { bytes, headers } = await bytesOf(path);
        expect(bytes.toString()).toBe(name === "caf\\xe9" ? "old" : `this is ${name}`);
        expect(headers.get("content-length")).toBe(String(bytes.length));
        expect(headers.get("content-disposition")).toStartWith("attachment; filename*=UTF-8''");
      }
      expect((await bytesOf(`${way}/docs/deep/large.bin`)).bytes.equals(noise(9_000_000))).toBe(true);
      expect((await bytesOf(`${way}/empty`)).bytes).toHaveLength(0);
      const out = makeScratch("unpacked");
      const unpacked = unpackTar((await bytesOf(way)).bytes, out);
      expect(unpacked).toBe("");
      expect(describeTree(join(out, "tree"))).toEqual(describeTree(root));
      expect(unpackTar((await bytesOf("")).bytes, out)).toBe("");
      expect(describeTree(join(out, way))).toEqual(describeTree(root));
      expect((await download(node, at, snapshot, `${way}/outside`)).code).toBe("restic_kind");
      expect((await download(node, at, snapshot, `${way}/../etc`)).code).toBe("restic_path");
      expect((await download(node, at, "0".repeat(64), way)).code).toBe("restic_snapshot");
      expect((await folder(`${way}/empty`)).code).toBe("restic_path");
      // Nothing was written there, and no lock was left.
      expect(resticFiles(program, ".")).toEqual(before);

      const names = node.events.map(({ name }) => name).filter((name) => name.startsWith("restic."));
      expect([names[0], names.at(-1)]).toEqual(["restic.attached", "restic.file_downloaded"]);
      expect(JSON.stringify(node.events)).not.toContain(RESTIC_PASSWORD);
      const row = node.ctx.db.raw.query("SELECT * FROM restic_repositories").get();
      expect(JSON.stringify(row)).not.toContain(RESTIC_PASSWORD);
      expect((await node.call(`DELETE ${at}`, { as: "admin" })).status).toBe(200);
      expect(readdirSync(join(node.dataDir, "restic-index"))).toEqual([]);
      expect((await get(node, `${at}/snapshots`)).body.code).toBe("restic_not_found");
      expect(resticFiles(program, ".")).toEqual(before);
      expect(id).toStartWith("rst_");
    },
    60_000,
  );

  test("what is new is read, what was pruned is told, and a second reading finds all again", async () => {
    const program = makeRestic(2);
    const root = makeFiles();
    program.run("backup", root);
    const { node, at, id } = await nodeWith(program);
    const [{ id: first }] = (await snapshotsOf(node, at)).snapshots;
    rmSync(join(root, "docs/deep/large.bin"));
    program.run("backup", root);
    program.run("forget", first, "--prune", "--max-unused", "0");
    const large = `${root.slice(1)}/docs/deep/large.bin`;
    const lost = await download(node, at, first, large);
    expect([lost.status, lost.code]).toEqual([409, "restic_changed"]);
    expect(await read(node, id)).toBe("done");
    const { snapshots } = await snapshotsOf(node, at);
    expect(snapshots.map((one: { id: string }) => one.id)).not.toContain(first);
    expect((await download(node, at, first, large)).code).toBe("restic_snapshot");
    const { bytes } = await download(node, at, snapshots[0].id, `${root.slice(1)}/twin`);
    expect(bytes.equals(Buffer.alloc(3_000_001))).toBe(true);
  }, 60_000);

  test("what cannot be attached is refused with what to do", async () => {
    const program = makeRestic(2);
    const node = createTestNode();
    const codeOf = async (path: string, more: Record<string, unknown> = {}) =>
      (await attach(node, path, more)).body.code;
    expect(await codeOf(program.path, { repository_password: "wrong" })).toBe("restic_password");
    expect(await codeOf(makeScratch("nothing"))).toBe("restic_none");
    expect(await codeOf("/nowhere/at/all")).toBe("backup_target_path");
    expect(await codeOf("/etc")).toBe("backup_target_path");
    const half = makeScratch("half");
    writeFileSync(join(half, "config"), "{}");
    expect(await codeOf(half)).toBe("restic_none");
    const [key = ""] = resticFiles(program, "keys");
    const costly = { ...JSON.parse(readFileSync(key, "utf8")), N: 2 ** 24 };
    mkdirSync(join(half, "keys"));
    writeFileSync(join(half, "keys", "a".repeat(64)), JSON.stringify(costly));
    expect(await codeOf(half)).toBe("restic_costly");
    const { body } = await attach(node, program.path);
    expect(await codeOf(program.path, { name: "other" })).toBe("restic_taken");
    expect((await get(node, `/api/backup/restic/${body.id}/snapshots`)).body.code).toBe("restic_unread");
    expect(JSON.stringify(await get(node, "/api/backup/restic"))).not.toContain(RESTIC_PASSWORD);
    expect(await read(node, body.id)).toBe("done");
    expect((await snapshotsOf(node, `/api/backup/restic/${body.id}`)).total).toBe(0);
    rmSync(program.path, { recursive: true });
    expect(await read(node, body.id)).toContain("There is no restic repository");
  }, 60_000);

  test("damage of packs, index files, snapshots and the config is found", async () => {
    const program = makeRestic(2);
    const root = makeFiles();
    program.run("backup", root);
    const { node, at, id } = await nodeWith(program);
    const [{ id: snapshot }] = (await snapshotsOf(node, at)).snapshots;
    const way = root.slice(1);
    const packs = resticFiles(program, "data");
    const whole = new Map(packs.map((path) => [path, readFileSync(path)]));
    const large = `${way}/docs/deep/large.bin`;
    const tryAll = async () => {
      const folder = (await get(node, `${at}/snapshots/${snapshot}/files`, { path: `${way}/docs` })).body.code;
      return [folder, (await download(node, at, snapshot, large)).code];
    };
    chmodAll(packs);
    for (const path of packs) truncateSync(path, 20);
    expect(new Set(await tryAll())).toEqual(new Set(["restic_damaged", "restic_damaged"]));
    for (const [path, bytes] of whole)
      writeFileSync(
        path,
        bytes.map((byte, number) => (number % 97 === 50 ? byte ^ 4 : byte)),
      );
    expect(new Set(await tryAll())).toEqual(new Set(["restic_damaged", "restic_damaged"]));
    for (const [path, bytes] of whole) writeFileSync(path, bytes);
    expect(await tryAll()).toEqual([undefined, undefined]);

    program.run("backup", "--force", root);
    const flip = (path: string) => {
      chmodSync(path, 0o600);
      const bytes = readFileSync(path);
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    };
    for (const path of resticFiles(program, "snapshots")) if (!path.endsWith(snapshot)) flip(path);
    expect(await read(node, id)).toBe("done");
    expect(await snapshotsOf(node, at)).toMatchObject({ total: 1, unreadable: 1 });
    const fresh = createTestNode();
    for (const path of resticFiles(program, "index")) flip(path);
    const { body } = await attach(fresh, program.path);
    expect(await read(fresh, body.id)).toContain("has another sum than its name says");
    flip(join(program.path, "config"));
    expect((await attach(createTestNode(), program.path)).body.code).toBe("restic_damaged");
  }, 60_000);
});
