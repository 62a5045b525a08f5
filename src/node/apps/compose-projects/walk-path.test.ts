import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { pathOf } from "./folders.ts";
import { createPaths } from "./walk-path.ts";

const walkBelow = async (base: string, path: string) => {
  const route = await createPaths({ mounts: () => [], pathBase: () => base }).walk(path);
  return route && [...route.places.map(pathOf), "to", pathOf(route.end), "as", pathOf(route.written)];
};

test("paths are followed below the folder in which the server's are found", async () => {
  const base = makeScratch("paths");
  mkdirSync(join(base, "srv/real"), { recursive: true });
  symlinkSync("/srv/real", join(base, "srv/full"));
  symlinkSync("../srv/./real", join(base, "srv/short"));
  symlinkSync("loop", join(base, "srv/loop"));
  const end = ["/srv", "/srv/real", "/srv/real/a", "to", "/srv/real/a", "as"];
  expect(await walkBelow(base, "/srv/real//a/")).toEqual([...end, "/srv/real/a"]);
  expect(await walkBelow(base, "/srv/full/a")).toEqual(["/srv", "/srv/full", ...end, "/srv/full/a"]);
  expect(await walkBelow(base, "/srv/short/a")).toEqual(["/srv", "/srv/short", ...end, "/srv/short/a"]);
  expect(await walkBelow(base, "/../srv/full/..")).toEqual([
    "/srv",
    "/srv/full",
    "/srv",
    "/srv/real",
    "to",
    "/srv",
    "as",
    "/srv",
  ]);
  expect((await walkBelow(base, "/srv/loop/a"))?.slice(-4)).toEqual(["to", "/srv/loop/a", "as", "/srv/loop/a"]);
  rmSync(base, { recursive: true });
});

test("a path that the kernel refuses leads nowhere", async () => {
  expect(await walkBelow("/", "/a".repeat(2049))).toBeNull();
  expect((await walkBelow("/", `/no${"/a".repeat(2046)}`))?.length).toBe(2051);
});
