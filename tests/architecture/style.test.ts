import { expect, test } from "bun:test";
import { placeOf } from "./areas.ts";
import { isTest, readSources } from "./sources.ts";

const code = await readSources("src/**/*.ts", "ui/**/*.{ts,tsx,css}", "tests/**/*.ts", "embed/admin/*", "install.sh");
const server = code.filter(({ path }) => path.startsWith("src/") && !isTest(path));

const BANNED: { pattern: RegExp; allowed: RegExp; why: string }[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bMath\.random\(|\brandomUUID\(/,
    allowed: /^src\/lib\//,
    why: "time and ids are injected",
  },
  {
    pattern: /\bprocess\.env\b/,
    allowed:
      /^src\/(kernel\/(service\/notify|host\/run-program)\.ts|node\/commands\/load\.ts|panel\/commands\/load\.ts|build\/)/,
    why: "configuration has one table",
  },
  {
    pattern: /\b\w*([eE]mail|[aA]ddress)\.toLowerCase\(/,
    allowed: /^src\/(kernel|lib|shared|node)\//,
    why: "mail addresses have one form: src/panel/addresses.ts",
  },
  {
    pattern: /from "node:dns|\bBun\.dns\b/,
    allowed: /^src\/kernel\/(names\/ask-servers|outgoing\/find-texts)\.ts$/,
    why: "names are looked up by src/kernel/names: the system's call waits in a thread that files are read by",
  },
  { pattern: /\bconsole\./, allowed: /^$/, why: "the log is JSON lines" },
  {
    pattern: /\bshell: true\b|\bexecSync\(|\bBun\.\$|\bexec\(`/,
    allowed: /^$/,
    why: "argv lists, never a shell string",
  },
  { pattern: /\bas (any|unknown as)\b|: any\b|<any>/, allowed: /^src\/kernel\//, why: "types are kept honest" },
];

test("banned calls stay out", () => {
  const found = server.flatMap(({ path, text }) =>
    BANNED.filter((rule) => !rule.allowed.test(path)).flatMap((rule) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          rule.pattern.test(line) ? [`${path}:${index + 1} ${line.trim()} (${rule.why})`] : [],
        ),
    ),
  );
  expect(found).toEqual([]);
});

test("a transaction that only tells is a record, which is written whoever did it and whatever they may do now", () => {
  const telling = /\b[dD]b\.tx\(\(\) =>\s+[\w.]*bus\.emit\(/;
  expect(server.filter(({ text }) => telling.test(text)).map(({ path }) => path)).toEqual([]);
});

test("no file is longer than 400 lines", () => {
  const long = code
    .map(({ path, text }) => [path, text.split("\n").length - 1] as const)
    .filter(([, lines]) => lines > 400);
  expect(long).toEqual([]);
});

test("nothing unfinished is left lying about", () => {
  const marks = /\b(TODO|FIXME|XXX)\b|[Nn]ot implemented|\b(test|it|describe)\.(skip|only|todo)\(/;
  const found = code
    .filter(({ path }) => path !== "tests/architecture/style.test.ts")
    .flatMap(({ path, text }) => text.split("\n").flatMap((line, i) => (marks.test(line) ? [`${path}:${i + 1}`] : [])));
  expect(found).toEqual([]);
});

test("every folder with an index opens with one doc sentence", () => {
  const silent = server
    .filter(({ path, text }) => path.endsWith("/index.ts") && !text.startsWith("/** "))
    .map(({ path }) => path);
  expect(silent).toEqual([]);
});

test("names follow one style", () => {
  const odd = code
    .map(({ path }) => path)
    .filter((path) => /\.(ts|tsx|css)$/.test(path))
    .filter((path) => !/^[a-z0-9-]+(\.(test|d))?\.(ts|tsx|css)$/.test(path.split("/").at(-1) ?? ""));
  // A service is the Compose file's own word there.
  const vague = code
    .map(({ path }) => path)
    .filter(
      (path) =>
        /\/(utils?|helpers?|manager|service|common)\.tsx?$/.test(path) && !path.startsWith("src/node/apps/compose/"),
    );
  expect([...odd, ...vague]).toEqual([]);
});

test("SQL stays in stores and migrations", () => {
  const loose = server
    .filter(({ path }) => placeOf(path) !== null && !/(store|-store|authorize)\.ts$/.test(path))
    .filter(({ text }) => /\b(SELECT [\w*(]|INSERT (INTO|OR)|UPDATE \w+ SET|DELETE FROM)/.test(text))
    .map(({ path }) => path);
  expect(loose).toEqual([]);
});
