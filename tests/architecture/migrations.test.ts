import { expect, test } from "bun:test";
import { sha256Hex } from "../../src/lib/digest.ts";
import { readSources } from "./sources.ts";

const FROZEN_FILE = new URL("frozen-migrations.json", import.meta.url);

/** A released migration has run on somebody's data; changing it would split the world. New ones are added to the list. */
test("migrations are frozen", async () => {
  const files = await readSources("src/**/migrations/*.sql");
  const actual = Object.fromEntries(files.map(({ path, text }) => [path, sha256Hex(text)] as const).sort());
  expect(actual).toEqual(await Bun.file(FROZEN_FILE).json());
});

test("migrations are numbered without gaps and make STRICT tables", async () => {
  const files = await readSources("src/**/migrations/*.sql");
  const numbers = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf("/")));
  for (const [folder, items] of numbers) {
    const found = items
      .map(({ path }) => Number(path.slice(folder.length + 1, folder.length + 5)))
      .sort((a, b) => a - b);
    expect([folder, found]).toEqual([folder, found.map((_, index) => index + 1)]);
  }
  const loose = files.flatMap(({ path, text }) =>
    [...text.matchAll(/CREATE TABLE (\w+)[^;]*;/g)]
      .filter(([sql]) => !sql.includes("STRICT"))
      .map((match) => `${path} ${match[1]}`),
  );
  expect(loose).toEqual([]);
});
