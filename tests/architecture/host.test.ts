import { expect, test } from "bun:test";
import { isTest, readSources } from "./sources.ts";

/** What touches the machine below us, and the one place where it may stand. */
const HOMES: { what: RegExp; home: RegExp; why: string }[] = [
  { what: /\bnetworkInterfaces\b/, home: /^src\/kernel\/host\//, why: "addresses are read in one place" },
  { what: /\bstatfs(Sync)?\b/, home: /^src\/kernel\/host\//, why: "a dead mount must not hold up the program" },
  {
    what: /\b(Bun\.spawn|spawn|spawnSync|execFile|execFileSync|fork)\(|child_process/,
    home: /^src\/kernel\/host\//,
    why: "programs are started in one place",
  },
  {
    what: /["'`]\/?(proc|sys)\b(\/|["'`])|["'`]\/?run\/udev\b|\}\/(proc|sys)\b/,
    home: /^src\/(kernel\/host|node\/machine)\//,
    why: "the kernel's files are read by the host adapter",
  },
];

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");
const sources = (await readSources("src/**/*.ts")).filter(({ path }) => !isTest(path));

test("the machine is touched by its adapter only", () => {
  const found = sources.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return HOMES.filter(({ what, home }) => !home.test(path) && what.test(code)).map(({ why }) => `${path}: ${why}`);
  });
  expect(found).toEqual([]);
});

test("each of them is really there", () => {
  for (const { what, home } of HOMES) {
    expect(sources.filter(({ path, text }) => home.test(path) && what.test(withoutComments(text)))).not.toEqual([]);
  }
});
