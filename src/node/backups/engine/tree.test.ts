import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "../../../../tests/kit/env.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { makeRandom, randomBytes } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { mountDisk } from "../../../../tests/kit/snapshot-disks.ts";
import { startEngine } from "./index.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createRepository, openRepository, type Repository } from "./repository.ts";
import { readStream, type StoredStream } from "./snapshot.ts";
import { writeTree } from "./tree.ts";
import { reachTree, walkTree } from "./tree-walk.ts";

/** More of them by hand: `BACKUP_OPERATIONS=5000`. */
const OPERATIONS = Number(Bun.env["BACKUP_OPERATIONS"] ?? 60);
const A_BACKUP_EACH = 20;
/** Files in a folder that has many of them. */
const CROWD = OPERATIONS >= 1000 ? 20_000 : 300;
/** What a folder has besides; from then on something goes for all that comes, or the folder would grow with every operation. */
const MOST_IN_FOLDER = 12;
/** Times that lie so far back that they are trusted. */
const later = (): number => Date.now() + 60_000;

const run = (argv: readonly string[], input?: Uint8Array): Buffer => {
  const [program = "", ...rest] = argv;
  const { status, stdout, stderr } = spawnSync(program, rest, { input, maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
  return stdout;
};

/** All that a folder holds, with kinds, modes, owners, times, links, sums and attributes, as other programs tell it. */
const describe = (folder: string): string =>
  run([
    "sh",
    "-c",
    `cd "$0" && find . -printf '%P %y %m %U %G %T@ %l %n\\0' | sort -z | tr '\\0' '\\n' && find . -type f -print0 | sort -z | xargs -0r sha256sum && python3 -c '
import os
def look(folder):
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        for name in sorted(os.listxattr(entry.path, follow_symlinks=False)):
            print(entry.path, name, os.getxattr(entry.path, name, follow_symlinks=False))
        if entry.is_dir(follow_symlinks=False):
            look(entry.path)
look(b".")'`,
    folder,
  ]).toString("latin1");

interface World {
  tree: string;
  layout: string;
  repository: Repository;
  target: ReturnType<typeof openLocalFolder>;
  key: Uint8Array;
}

async function makeWorld(): Promise<World> {
  const tree = join(makeScratch("tree"), "tree");
  mkdirSync(tree);
  const target = openLocalFolder(makeScratch("tree-target"));
  const key = await createRepository(target, "KIT", null);
  const lease = await takeLease(target, "node", () => 0);
  const repository = await openRepository(target, key, lease);
  return { tree, target, key, repository, layout: join(makeScratch("layout"), "layout.db") };
}

async function store(
  { tree, layout, repository }: Pick<World, "tree" | "layout" | "repository">,
  now = later(),
): Promise<{ stream: StoredStream; added: number }> {
  const fresh = `${layout}.new`;
  const writer = writeTree(repository, { root: tree, top: "data", earlier: layout, fresh }, now);
  try {
    while ((await writer.next()) !== null);
    const stored = await writer.end();
    await repository.flush();
    renameSync(fresh, layout);
    return stored;
  } finally {
    writer.close();
  }
}

/** Stores a folder while `change` is done to it, a few times; it may be refused, and what it says of files must not be believed later. */
async function storeWhileChanging(world: World, change: () => void): Promise<void> {
  let left = 3;
  const put: Repository["put"] = async (chunk) => {
    if (left-- > 0) change();
    return await world.repository.put(chunk);
  };
  try {
    await store({ ...world, repository: { ...world.repository, put } }, Date.now());
  } catch (error) {
    expect(error).toMatchObject({ code: "tree_unread" });
  }
}

async function restore({ target, key }: World, stream: StoredStream): Promise<string> {
  const repository = await openRepository(target, key, null);
  const part = { kind: "volume" as const, app: "app", name: "tree", ...stream };
  const archive = Buffer.concat(await Array.fromAsync(readStream(repository, part)));
  const out = makeScratch("out");
  run(["tar", "--xattrs", "--xattrs-include=*", "-C", out, "-xpf", "-"], archive);
  return join(out, "data");
}

const ODD = ["a b", "ü", "new\nline", "-rf", "quote'\"", "x".repeat(200), "*", "\\", "☃"];

/** Does something to a tree that people and programs do. */
function operate(tree: string, random: () => number, count: number): void {
  const number = (most: number): number => Math.floor(random() * most);
  const folders = ["", "a", "a/b", "c", ODD[number(ODD.length)] ?? ""];
  const folder = join(tree, folders[number(folders.length)] ?? "");
  mkdirSync(folder, { recursive: true });
  const there = readdirSync(folder)
    .filter((name) => !name.includes("\uFFFD"))
    .map((name) => join(folder, name));
  if (there.length > MOST_IN_FOLDER) rmSync(there.splice(number(there.length), 1)[0] ?? "", { recursive: true });
  const one = there[number(there.length)];
  const files = there.filter((path) => lstatSync(path).isFile());
  const file = files[number(files.length)];
  const fresh = join(folder, `${random() < 0.3 ? (ODD[number(ODD.length)] ?? "") : "file"}-${count}`);
  const kinds: readonly (() => void)[] = [
    () => writeFileSync(fresh, randomBytes(random, number(60_000))),
    () => writeFileSync(fresh, ""),
    () => writeFileSync(fresh, madeBytes(count, 900_000 + number(900_000))),
    () => file !== undefined && writeFileSync(file, randomBytes(random, number(5000)), { flag: "a" }),
    () => one !== undefined && renameSync(one, fresh),
    () => one !== undefined && rmSync(one, { recursive: true }),
    () => file !== undefined && chmodSync(file, 0o400 + number(0o400)),
    () =>
      file !== undefined &&
      run(["python3", "-c", "import os,sys; os.setxattr(sys.argv[1], 'user.note', os.urandom(9))", file]),
    () => file !== undefined && linkSync(file, fresh),
    () => symlinkSync(["nowhere", "../a", "/etc/passwd"][number(3)] ?? "", fresh),
    () => {
      writeFileSync(fresh, "begin");
      truncateSync(fresh, 3_000_000 + number(100_000));
    },
    () => {
      const crowd = join(tree, "crowd");
      if (existsSync(crowd)) return rmSync(crowd, { recursive: true });
      // Seldom, as it takes as long as all the rest.
      if (OPERATIONS >= 1000 && random() < 0.8) return undefined;
      mkdirSync(crowd);
      for (let index = 0; index < CROWD; index += 1) writeFileSync(join(crowd, `${index}`), `${count} ${index}`);
    },
    () => one !== undefined && lutimesSync(one, number(2e9), number(2e9) + random()),
  ];
  kinds[number(kinds.length)]?.();
}

test("a folder that lives comes back bit by bit, with modes, owners, times, links, attributes and holes, backup after backup", async () => {
  const world = await makeWorld();
  const random = makeRandom(Number(Bun.env["TEST_SEED"] ?? 11));
  let meanwhile = OPERATIONS;
  for (let count = 1; count <= OPERATIONS; count += 1) {
    operate(world.tree, random, count);
    if (count % A_BACKUP_EACH !== 0) continue;
    // A name that is no text.
    run([
      "python3",
      "-c",
      "import os,sys; open(os.path.join(os.fsencode(sys.argv[1]), b'\\xff\\xfe'), 'w').close()",
      world.tree,
    ]);
    await storeWhileChanging(world, () => operate(world.tree, random, ++meanwhile));
    const { stream } = await store(world);
    const out = await restore(world, stream);
    expect(describe(out)).toBe(describe(world.tree));
    rmSync(out, { recursive: true });
  }
}, 3_600_000);

test("what has not changed is not read again, and what changed is found by any of its times, sizes and numbers", async () => {
  const world = await makeWorld();
  const paths = Array.from({ length: 12 }, (_, index) => join(world.tree, `file-${String(index).padStart(2, "0")}`));
  for (const [index, path] of paths.entries()) writeFileSync(path, madeBytes(index, 700_000));
  const first = await store(world);
  const [changed = "", touched = ""] = [paths[6], paths[9]];
  // Same size and the same time of change; the number on the disk and the time that nobody can set tell.
  const { atime, mtime } = lstatSync(changed);
  writeFileSync(changed, madeBytes(77, 700_000));
  utimesSync(changed, atime, mtime);
  chmodSync(touched, 0o600);
  const put = spyOnPuts(world.repository);
  const second = await store(world);
  // The chunks around the two, and the list: of some eight.
  expect(put.count).toBeLessThanOrEqual(6);
  expect(second.stream.size).toBe(first.stream.size);
  expect(describe(await restore(world, second.stream))).toBe(describe(world.tree));
  const third = await store(world);
  expect(third.added).toBe(0);
  expect(third.stream).toEqual(second.stream);
});

function spyOnPuts(repository: Repository): { count: number } {
  const seen = { count: 0 };
  const { put } = repository;
  repository.put = (chunk) => {
    seen.count += 1;
    return put(chunk);
  };
  return seen;
}

test("in a snapshot, what had changed a moment before it was taken is not trusted the next time, however late it is read", async () => {
  const world = await makeWorld();
  const path = join(world.tree, "file");
  writeFileSync(path, madeBytes(1, 8_000_000));
  const { ctimeMs } = lstatSync(path);
  const source = { root: world.tree, top: "data", earlier: world.layout, fresh: `${world.layout}.new` };
  const storeTaken = async (taken_at: number) => {
    const writer = writeTree(world.repository, { ...source, taken_at }, ctimeMs + 60_000);
    while ((await writer.next()) !== null);
    await writer.end();
    writer.close();
    renameSync(source.fresh, world.layout);
    await world.repository.flush();
  };
  const put = spyOnPuts(world.repository);
  const putsOf = async (taken_at: number) => {
    const before = put.count;
    await storeTaken(taken_at);
    return put.count - before;
  };
  await storeTaken(ctimeMs + 50);
  const [readAgain, trusted] = [await putsOf(ctimeMs + 500), await putsOf(ctimeMs + 500)];
  expect(readAgain).toBeGreaterThan(trusted);
});

test("a file that changed a moment before is not trusted the next time, and one that became a link is not followed", async () => {
  const world = await makeWorld();
  const path = join(world.tree, "file");
  writeFileSync(path, madeBytes(1, 1_400_000));
  const source = { root: world.tree, top: "data", earlier: world.layout, fresh: `${world.layout}.new` };
  const soon = writeTree(world.repository, source, lstatSync(path).ctimeMs + 50);
  while ((await soon.next()) !== null);
  await soon.end();
  soon.close();
  renameSync(source.fresh, world.layout);
  await world.repository.flush();
  const put = spyOnPuts(world.repository);
  await store(world);
  expect(put.count).toBeGreaterThan(1);
  writeFileSync(path, madeBytes(2, 40_000));
  const walked = reachTree(world.tree);
  const [, entry] = walkTree(world.tree);
  if (!entry) throw new Error("nothing was found");
  rmSync(path);
  writeFileSync(`${path}-x`, "");
  symlinkSync("/etc/passwd", path);
  expect(() => walked.open(entry)).toThrow(expect.objectContaining({ code: "tree_unread" }));
  walked.close();
});

test("links on the way lead nowhere, and what archives cannot have is refused", async () => {
  const world = await makeWorld();
  symlinkSync("/etc", join(world.tree, "out"));
  const { stream } = await store(world);
  const out = await restore(world, stream);
  expect(lstatSync(join(out, "out")).isSymbolicLink()).toBe(true);
  run(["mkfifo", join(world.tree, "pipe")]);
  await expect(store(world)).rejects.toMatchObject({ code: "tree_unread" });
  const other = join(makeScratch("tree-link"), "link");
  symlinkSync(world.tree, other);
  await expect(store({ ...world, tree: other })).rejects.toMatchObject({ code: "tree_unread" });
});

test("what passes is told as it goes: bytes, files, and what the target did not have yet", async () => {
  const world = await makeWorld();
  for (let at = 0; at < 12; at += 1) writeFileSync(join(world.tree, `file-${at}`), madeBytes(at, 1_000_000));
  mkdirSync(join(world.tree, "folder"));
  const source = { root: world.tree, top: "data", earlier: world.layout, fresh: `${world.layout}.new` };
  const passedAll = async () => {
    const writer = writeTree(world.repository, source, later());
    const sum = { bytes: 0, files: 0, added: 0 };
    for (let passed = await writer.next(); passed !== null; passed = await writer.next()) {
      sum.bytes += passed.bytes;
      sum.files += passed.files;
      sum.added += passed.added;
    }
    const { stream, added } = await writer.end();
    writer.close();
    renameSync(source.fresh, world.layout);
    await world.repository.flush();
    return { ...sum, rest: stream.size - sum.bytes, isNew: sum.added > 0, isMost: added - sum.added < 9_000_000 };
  };
  const first = await passedAll();
  // Two empty blocks end an archive.
  expect(first).toMatchObject({ files: 12, rest: 1024, isNew: true, isMost: true });
  expect(await passedAll()).toMatchObject({ files: 12, rest: 1024, isNew: false });
});

suite("a disk that loses what it has", ["btrfs"], () => {
  test("a file that cannot be read any more makes the folder unread, and no backup of it", async () => {
    const world = await makeWorld();
    const image = join(makeScratch("tree-disk"), "disk.img");
    const disk = await mountDisk("btrfs", image, world.tree, 120);
    const content = madeBytes(5, 200_000);
    try {
      writeFileSync(join(world.tree, "a-file"), content);
    } finally {
      await disk.dispose();
    }
    const bytes = readFileSync(image);
    const at = bytes.indexOf(content.subarray(0, 4096));
    expect(at).toBeGreaterThan(0);
    writeFileSync(image, bytes.fill(0, at, at + 4096));
    run(["mount", "-o", "loop,ro", image, world.tree]);
    try {
      await expect(store(world)).rejects.toMatchObject({ code: "tree_unread" });
    } finally {
      await disk.dispose();
    }
  });
});

test("files that say that they have far more than is on the disk end the walk before they are read", () => {
  const folder = makeScratch("hollow");
  writeFileSync(join(folder, "a"), "x");
  writeFileSync(join(folder, "hole"), "");
  truncateSync(join(folder, "hole"), 50 * 1024 ** 3);
  expect([...walkTree(folder)].length).toBe(3);
  writeFileSync(join(folder, "more"), "");
  truncateSync(join(folder, "more"), 15 * 1024 ** 3);
  expect(() => [...walkTree(folder)]).toThrow("more is 16.1 GB long, and next to nothing of that is on the disk");
});

test("of a folder that cannot be stored nothing is held open, and the next one is stored", async () => {
  const [folder, layouts] = [makeScratch("unstored"), makeScratch("layouts")];
  const place = { type: "local", path: makeScratch("target") } as const;
  const engine = startEngine();
  await engine.open(place, await engine.create(place, "KIT", null), { id: "node", name: "atlas" }, "now");
  const store = () =>
    engine.storeTree(
      { root: folder, top: "data", earlier: join(layouts, "earlier"), fresh: join(layouts, "fresh") },
      () => {},
    );
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "inner", "hole"), "");
  truncateSync(join(folder, "inner", "hole"), 200 * 1024 ** 3);
  expect(await store().catch(String)).toContain("hole is 214.7 GB long");
  const open = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The one by which they are read.
      return "";
    }
  });
  expect(open.filter((path) => path.startsWith(folder) || path.startsWith(layouts))).toEqual([]);
  rmSync(join(folder, "inner", "hole"));
  rmSync(join(layouts, "fresh"), { force: true });
  expect((await store()).size).toBeGreaterThan(0);
  await engine.close();
});
