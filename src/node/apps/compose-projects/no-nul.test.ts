import { expect, test } from "bun:test";
import { readProject } from "./read-project.ts";

const BRIDGE = "com.docker.network.bridge.name";
const one = (lines: string) => `services:\n  web:\n    image: web:1\n${lines}`;
const own = (name: string) => one(`networks:\n  default:\n    driver_opts:\n      ${BRIDGE}: ${name}\n`);

function problemsOf(file: string, env = "", files: { path: string; text: string }[] = []) {
  const found = readProject("shop", { file, env, files });
  return found.kind === "refused" ? found.problems : [];
}

test.each([
  ["a value", one('    hostname: "web\\0x"\n'), 4],
  ["a key", one('    labels:\n      "a\\x00b": c\n'), 5],
  ["one of a list", one('    command: [sleep, "\\u00001"]\n'), 4],
  ["one that came by an anchor", `x-a: &a "\\0"\n${one("    hostname: *a\n")}`, 1],
  ["the name of a service", 'services:\n  "web\\0x": { image: "web:1" }\n', 2],
  ["the name of a volume", one('volumes:\n  "data\\0x": {}\n'), 5],
  ["an option of a volume", one('volumes:\n  data: { driver_opts: { type: none, o: bind, device: "/srv\\0x" } }\n'), 5],
  ["the bridge of a network", own('"br0\\0x"'), 7],
  ["a letter as it is", one("    hostname: web\0x\n"), 4],
])("a NUL in a Compose file is told with its line: %s", (_, file, line) => {
  expect(problemsOf(file)).toMatchObject([{ file: "compose.yaml", line, message: expect.stringContaining("NUL") }]);
});

test("so is one in the variables of a project, and in its further files", () => {
  const files = (path: string, text: string) => [{ path, text }];
  const told = (file: string, line: number, column: number) => [
    { file, line, column, message: expect.stringContaining("NUL") },
  ];
  expect(problemsOf(one(""), "A=1\r\nB=x\0y\n")).toMatchObject(told(".env", 2, 4));
  expect(problemsOf(one("    env_file: a.env\n"), "", files("a.env", "A\0=1\n"))).toMatchObject([
    ...told("a.env", 1, 2),
    {},
  ]);
  const raw = one("    env_file: [{ path: a.env, format: raw }]\n");
  expect(problemsOf(raw, "", files("a.env", "A=1\nB='\0'\n"))).toMatchObject(told("a.env", 2, 4));
  const more = files("more.yaml", 'services:\n  db: { image: "db\\0:1" }\n');
  expect(problemsOf(`include: [more.yaml]\n${one("")}`, "", more)).toMatchObject([{ file: "more.yaml", line: 2 }]);
});

test.each([...["br-shop", "br0.100", "br_0@a", "x".repeat(15), '""']])(
  "a bridge has a name that the kernel takes as it is: %s",
  (name) => {
    expect(problemsOf(own(name))).toEqual([]);
  },
);

test.each([
  ...[
    "x".repeat(16),
    "a/b",
    "..",
    '"."',
    '"br 0"',
    '"br0\\t"',
    '"br0\\e"',
    '"br0:1"',
    '"br%d"',
    "brücke",
    "all",
    "default",
  ],
])("any other is told with its line: %s", (name) => {
  expect(problemsOf(own(name))).toMatchObject([
    {
      ...{ line: 7, key: `networks.default.driver_opts.${BRIDGE}` },
      message: expect.stringContaining("is no name of a bridge"),
    },
  ]);
});
