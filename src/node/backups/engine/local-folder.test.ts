import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { callsHere, callsOfPool, type DiskCalls } from "./disk-calls.ts";
import { openLocalFolder } from "./local-folder.ts";

/** A target that somebody else can write to, and a folder that they may not. */
function makePlaces(calls: DiskCalls) {
  const root = makeScratch("shared-disk");
  const system = makeScratch("not-theirs");
  writeFileSync(join(system, "passwd"), "root");
  return {
    root,
    system,
    target: openLocalFolder(root, null, calls),
    left: () => readFileSync(join(system, "passwd"), "utf8"),
  };
}

describe.each([
  ["on the runtime's threads", callsOfPool],
  ["on the calling thread", callsHere],
] as const)("%s", (_, calls) => {
  test("a folder of the target that was made a link leads neither writing, nor reading, nor removing elsewhere", async () => {
    const { root, system, target, left } = makePlaces(calls);
    for (const folder of ["packs", "incoming"]) symlinkSync(system, join(root, folder));
    mkdirSync(join(root, "leases"));
    symlinkSync(system, join(root, "leases", "aa"));
    const refused = { code: "target_refused" };
    await expect(target.write("packs/new", Uint8Array.of(1))).rejects.toMatchObject(refused);
    await expect(target.write("leases/1", Uint8Array.of(1))).rejects.toMatchObject(refused);
    await expect(target.read("packs/passwd")).rejects.toMatchObject(refused);
    await expect(target.list("incoming")).rejects.toMatchObject(refused);
    await expect(target.remove("incoming/passwd")).rejects.toMatchObject(refused);
    await expect(target.remove("leases/aa/passwd")).rejects.toMatchObject(refused);
    expect(await target.list("leases")).toEqual([]);
    expect([readdirSync(system), left()]).toEqual([["passwd"], "root"]);
  });

  test("a link that lies where a file comes in is not written through, and what is no file is not read", async () => {
    const { root, system, target, left } = makePlaces(calls);
    mkdirSync(join(root, "incoming"));
    for (let count = 1; count < 5; count++)
      symlinkSync(join(system, "passwd"), join(root, "incoming", `${process.pid}-${count}`));
    await target.write("packs/a", Uint8Array.of(1));
    await target.write("packs/b", Uint8Array.of(2));
    expect([await target.read("packs/b"), left()]).toEqual([Uint8Array.of(2), "root"]);
    symlinkSync(join(system, "passwd"), join(root, "config.json"));
    await expect(target.read("config.json")).rejects.toMatchObject({ code: "target_refused" });
    rmSync(join(root, "packs", "a"));
    mkdirSync(join(root, "packs", "a"));
    await expect(target.read("packs/a")).rejects.toThrow();
    expect((await target.list("packs")).map(({ name }) => name)).toEqual(["packs/b"]);
  });

  test("a file that went while its folder is listed takes nothing else with it from the list", async () => {
    const { root, target } = makePlaces({
      ...calls,
      readdir: async (path) => ["gone", ...(await calls.readdir(path)), "left"],
    });
    mkdirSync(join(root, "packs", "aa"), { recursive: true });
    for (const name of ["a", "aa/b"]) writeFileSync(join(root, "packs", name), "1");
    expect((await target.list("packs")).map(({ name }) => name)).toEqual(["packs/a", "packs/aa/b"]);
  });

  test("a file that is larger than any of a repository is read in pieces alone", async () => {
    const { root, target } = makePlaces(calls);
    writeFileSync(join(root, "config"), "");
    truncateSync(join(root, "config"), 64 * 1024 ** 2 + 1);
    await expect(target.read("config")).rejects.toMatchObject({ code: "damaged" });
    expect(await target.read("config", { at: 64 * 1024 ** 2 - 1, length: 2 })).toEqual(new Uint8Array(2));
  });
});
