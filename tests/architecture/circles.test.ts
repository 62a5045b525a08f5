import { expect, test } from "bun:test";
import { AREAS, placeOf } from "./areas.ts";
import { circlesIn, namedBy } from "./graph.ts";
import { isTest, readSources } from "./sources.ts";

const sources = (await readSources("src/**/*.ts", "ui/**/*.{ts,tsx}")).filter(({ path }) => !isTest(path));
const graph = new Map(sources.map((source) => [source.path, namedBy(source)]));

test("a circle is found, types and all", () => {
  const drawn = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["a"]],
    ["d", []],
  ]);
  expect(circlesIn(drawn)).toEqual([["a", "b", "c"]]);
  const text = 'import type { A } from "./a.ts";\nexport * from "../b.ts";\nconst c = import("./c.ts");';
  expect(namedBy({ path: "src/x/y.ts", text })).toEqual(["src/x/a.ts", "src/b.ts", "src/x/c.ts"]);
});

test("no circle of imports, types included, has more than three files", () => {
  expect(circlesIn(graph).filter((circle) => circle.length > 3)).toEqual([]);
});

const featureOf = (path: string): string | null => {
  const place = placeOf(path);
  return place && `${place.program}/${place.area}/${place.feature}`;
};

test("features do not need each other in a circle", () => {
  const features = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const own = featureOf(path);
    if (own === null) continue;
    const named = features.get(own) ?? new Set();
    features.set(own, named);
    for (const target of targets) {
      const other = featureOf(target);
      if (other !== null && other !== own) named.add(other);
    }
  }
  expect(circlesIn(new Map([...features].map(([name, others]) => [name, [...others]])))).toEqual([]);
});

test("an area uses only areas before it", () => {
  const broken: string[] = [];
  for (const [path, targets] of graph) {
    const own = areaOf(path);
    if (!own) continue;
    for (const target of targets) {
      const other = areaOf(target);
      if (other && rankOf(other) > rankOf(own)) broken.push(`${path} uses ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

/** The area of a file, its `wire.ts` included. */
function areaOf(path: string): { program: keyof typeof AREAS; area: string } | null {
  const [, program, area] = /^src\/(node|panel)\/([a-z-]+)\//.exec(path) ?? [];
  if ((program !== "node" && program !== "panel") || area === undefined) return null;
  return AREAS[program].some((known) => known === area) ? { program, area } : null;
}

const rankOf = ({ program, area }: { program: keyof typeof AREAS; area: string }): number =>
  (AREAS[program] as readonly string[]).indexOf(area);

test("the base of a program names no feature", () => {
  const bases = ["src/node/base.ts", "src/node/create-base.ts", "src/panel/base.ts", "src/panel/create-base.ts"];
  const broken = bases.flatMap((path) => (graph.get(path) ?? []).filter((target) => areaOf(target) !== null));
  expect(broken).toEqual([]);
});

test("features say what they need, not what part of a whole context", () => {
  const broken = sources
    .filter(({ text }) => /Pick<\w*Context\b|\bContextFeature\b/.test(text))
    .map(({ path }) => path);
  expect(broken).toEqual([]);
});
