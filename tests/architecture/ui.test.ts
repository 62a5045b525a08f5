import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { AREAS, type Place, type Program, placeOf } from "./areas.ts";
import { isTest, readSources } from "./sources.ts";

const ROOT = join(import.meta.dir, "../..");
const sources = await readSources("ui/**/*.{ts,tsx,css}");

/** What a program's dashboard has besides areas. */
const COMMON = ["client", "kit", "parts", "shell"];
/** Files of an area that belong to none of its features: the list of features, and that of their styles. */
const AREA_FILES = ["features.ts", "styles.css"];

test("screens and styles live in rooms with the names that the server's features have", () => {
  const misplaced = sources.flatMap(({ path }) => {
    const [, program = "", room = "", file = ""] = path.split("/");
    if ((program !== "node" && program !== "panel") || file === "" || COMMON.includes(room)) return [];
    const place = placeOf(path, "ui");
    if (place === null) {
      const isAreaFile = AREAS[program].some((area) => area === room) && AREA_FILES.includes(file);
      return isAreaFile ? [] : [`${path} is in no area of the ${program}`];
    }
    const feature = `src/${place.program}/${place.area}/${place.feature}`;
    return existsSync(join(ROOT, feature)) ? [] : [`${path} is of no feature: there is no ${feature}`];
  });
  expect(misplaced).toEqual([]);
});

/** Files named `file` of a program's features. */
const ofFeatures = (program: Program, isWanted: (path: string) => boolean): { path: string; place: Place }[] =>
  sources.flatMap(({ path }) => {
    const place = placeOf(path, "ui");
    return place?.program === program && isWanted(path) ? [{ path, place }] : [];
  });

const textOf = (path: string): string => sources.find((source) => source.path === path)?.text ?? "";

for (const program of ["node", "panel"] as const) {
  test(`all that features of the ${program} declare and style is on the page`, () => {
    const declared = ofFeatures(program, (path) => path.endsWith("/feature.ts"));
    const found = ofFeatures(program, (path) => path.endsWith("/finder.ts"));
    const styled = ofFeatures(program, (path) => path.endsWith(".css"));
    expect(declared.length).toBeGreaterThan(5);
    expect(styled.length).toBeGreaterThan(5);
    const missing = [
      ...found.filter(({ place }) => {
        const list = textOf(`ui/${program}/finders.ts`);
        return !list.includes(`"./${place.area}/${place.feature}/${place.rest}"`);
      }),
      ...declared.filter(({ place }) => {
        const list = textOf(`ui/${program}/${place.area}/features.ts`);
        return !list.includes(`"./${place.feature}/${place.rest}"`);
      }),
      ...styled.filter(({ path, place }) => {
        const isLate = path.endsWith("-late.css");
        if (isLate) return !sources.some((one) => one.text.includes(`from "./${place.rest}"`));
        const list = textOf(`ui/${program}/${place.area}/styles.css`);
        return !list.includes(`"./${place.feature}/${place.rest}"`);
      }),
    ];
    expect(missing.map(({ path }) => path)).toEqual([]);
    const areas = new Set([...declared, ...styled].map(({ place }) => place.area));
    for (const area of areas) {
      if (textOf(`ui/${program}/${area}/features.ts`) !== "")
        expect(textOf(`ui/${program}/features.ts`)).toContain(`"./${area}/features.ts"`);
      if (textOf(`ui/${program}/${area}/styles.css`) !== "")
        expect(textOf(`ui/${program}/styles.css`)).toContain(`"./${area}/styles.css"`);
    }
  });
}

test("what lies around all screens names no feature: it reads their lists", () => {
  const found = sources
    .filter(({ path }) => /^ui\/((node|panel)\/)?shell\//.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/from "(\.[^"]+)"/g)]
        .map(([, target = ""]) => join(dirname(path), target))
        .filter((target) => placeOf(target, "ui") !== null)
        .map((target) => `${path} imports ${target}`),
    );
  expect(found).toEqual([]);
});

/** Listen to any key at all, to know whether somebody sits there, or keep one from the page. */
const MIND_NO_KEY = ["ui/node/people/lock/", "ui/node/monitoring/system/"];

test("a feature whose screens listen to keys says so on the sheet of keys", () => {
  const listening = sources.filter(
    ({ path, text }) =>
      /^ui\/(node|panel)\//.test(path) &&
      !isTest(path) &&
      /onKeyDown=|"keydown"/.test(text) &&
      !MIND_NO_KEY.some((folder) => path.startsWith(folder)),
  );
  expect(listening.length).toBeGreaterThan(3);
  const silent = listening.flatMap(({ path }) => {
    const place = placeOf(path, "ui");
    if (place === null) return [path];
    const feature = textOf(`ui/${place.program}/${place.area}/${place.feature}/feature.ts`);
    return feature.includes("partKeys:") ? [] : [path];
  });
  expect(silent).toEqual([]);
});
