import { expect, test } from "bun:test";
import { createTrees } from "./trees.ts";

/** Trees that have so many files, each of so many parts, and which of them were read. */
function makeTrees(sizes: Record<string, number>, parts = 0) {
  const asked: string[] = [];
  const trees = createTrees(
    {
      find: (id) => ({ id, pack: "p", at: 0, length: 0, plain: 0 }),
      sizeOf: () => 0,
      async *read([blob]) {
        asked.push(blob?.id ?? "");
        const nodes = Array.from({ length: sizes[blob?.id ?? ""] ?? 0 }, (_, at) => ({
          name: `n${at}`,
          type: "file",
          content: Array(parts).fill("ab".repeat(32)),
        }));
        yield Buffer.from(JSON.stringify({ nodes }));
      },
    },
    30,
  );
  return { trees, asked };
}

test("folders stay in memory, but only so many entries of them", async () => {
  const { trees, asked } = makeTrees({ large: 16, other: 16, small: 10 });
  for (const tree of ["large", "small", "large", "small"]) await trees.read(tree);
  expect(asked).toEqual(["large", "small"]);
  await trees.read("other");
  await trees.read("small");
  expect(asked).toEqual(["large", "small", "other"]);
  await trees.read("large");
  expect(asked.at(-1)).toBe("large");
});

test("a file of very many parts counts as many entries", async () => {
  const { trees, asked } = makeTrees({ wide: 1, other: 1 }, 20);
  for (const tree of ["wide", "other", "wide"]) await trees.read(tree);
  expect(asked).toEqual(["wide", "other", "wide"]);
});
