import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../tests/kit/scratch.ts";
import { removeSourceMaps } from "./source-maps.ts";

test("source maps of a former build go, in folders too, and all else stays", () => {
  const folder = makeScratch("source-maps");
  mkdirSync(join(folder, "src/node"), { recursive: true });
  for (const name of ["chunk-0dnkvtj1.js.map", "src/node/main.js.map", "orrery-node", "SHA256SUMS"])
    writeFileSync(join(folder, name), "");
  removeSourceMaps(folder);
  const left = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(left.toSorted()).toEqual(["SHA256SUMS", "orrery-node", "src", "src/node"]);
  rmSync(folder, { recursive: true });
});
