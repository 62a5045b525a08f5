import { expect, test } from "bun:test";
import { readProject } from "./read-project.ts";

type Files = { path: string; text: string }[];
const read = (file: string, env = "", files: Files = []) => readProject("shop", { file, env, files });
const problemsOf = (file: string, env = "", files: Files = []) => {
  const found = read(file, env, files);
  return found.kind === "refused" ? found.problems : [];
};
const messagesOf = (file: string, env = "", files: Files = []) =>
  problemsOf(file, env, files).map(({ message }) => message);

/** `$LONG` is as long as a value may become: 131,072 letters of a short `.env`. */
const DOUBLED = [
  `A=${"a".repeat(1024)}`,
  ...["A", "B", "C", "D", "E", "F"].map((name, at) => `${"BCDEFG"[at]}=$${name}$${name}`),
  "LONG=$G$G",
].join("\n");
const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, at) => text(at));
const TOO_MUCH = "the file stands for too much text";

test("a file is refused by its number of services before any is read", () => {
  const many = `services:\n  s: &s {image: b, ports: ["1-300"]}\n${times(100, (at) => `  a${at}: *s\n`).join("")}`;
  expect(messagesOf(many)).toEqual(["these are more than 100 services"]);
  const extending = `services:\n  s: {image: b}\n${times(100, (at) => `  a${at}: {extends: s}\n`).join("")}`;
  expect(messagesOf(extending)).toEqual(["these are more than 100 services"]);
  expect(
    messagesOf("services: {a: {image: b}}\ninclude: [more.yaml]\n", "", [{ path: "more.yaml", text: many }]),
  ).toEqual(["these are more than 100 services"]);
  const volumes = (count: number) =>
    `services: {a: {image: b}}\nvolumes:\n${times(count, (at) => `  v${at}:\n`).join("")}`;
  expect(messagesOf(volumes(500))).toEqual([]);
  expect(messagesOf(volumes(501))).toEqual(["these are more than 500 volumes"]);
});

test("ports are counted for a whole file, published or not", () => {
  const file = (ports: string) =>
    `services:\n${times(3, (at) => `  a${at}: {image: b, ports: ["${ports}/udp"], expose: ["${ports}"]}\n`).join("")}`;
  expect(messagesOf(file("1-6000"))).toEqual([]);
  expect(messagesOf(file("1-9000"))).toEqual(["these are more than 40000 ports"]);
});

test("of problems the first hundred are told, each with as much of a value as can be read", () => {
  const problems = problemsOf(`services: {s: {image: b, devices: [${times(40, () => "$LONG").join(",")}]}}`, DOUBLED);
  expect(problems).toHaveLength(40);
  expect(problems[0]?.message.length).toBeLessThan(400);
  expect(problems[0]?.message).toEndWith("is not a device");
  expect(problemsOf(`services: {s: {image: b, devices: [${times(300, () => "x").join(",")}]}}`)).toHaveLength(100);
  expect(problemsOf("services: {s: {image: b}}", "x\n".repeat(300))).toHaveLength(100);
  const sources = `services: {s: {image: b, env_file: bad.env}}`;
  expect(problemsOf(sources, "", [{ path: "bad.env", text: "x\n".repeat(300) }])).toHaveLength(100);
  const key = "k".repeat(5000);
  expect(problemsOf(`services: {s: {image: b, ${key}: 1}}`)[0]?.key.length).toBeLessThan(400);
});

test.each([
  ["variables", `services: {s: {image: b, command: [${times(100, () => "$LONG").join(",")}]}}`, []],
  [
    "anchors",
    `x-a: &a ${"a".repeat(30_000)}\nservices: {s: {image: b, command: [${times(400, () => "*a").join(",")}]}}`,
    [],
  ],
  [
    "keys",
    `x-a: &a {${"k".repeat(30_000)}: x}\nservices: {s: {image: b}}\nvolumes: {${times(400, (at) => `v${at}: {labels: *a}`).join(", ")}}`,
    [],
  ],
  [
    "what is not used of a default",
    `x-a: &a "\${LONG:+${"a".repeat(30_000)}}"\nservices: {s: {image: b, command: [${times(400, () => "*a").join(",")}]}}`,
    [],
  ],
  [
    "values handed through",
    `services: {s: {image: b, environment: &e [${times(99, (at) => `V${at}`).join(",")}]}}`,
    [],
  ],
  [
    "files of variables",
    `services: {s: {image: b, env_file: [${times(400, () => "a.env").join(",")}]}}`,
    [{ path: "a.env", text: `A=${"a".repeat(30_000)}` }],
  ],
  ["the file of variables", `services: {s: {image: b, env_file: [${times(20, () => ".env").join(",")}]}}`, []],
  [
    "texts that are given",
    `configs: {c: {content: "$LONG"}}\nservices: {s: {image: b}}`
      .replace("$LONG", "a".repeat(60_000))
      .replace("image: b", `image: b, configs: [${times(400, (at) => `{source: c, target: /${at}}`).join(", ")}]`),
    [],
  ],
  [
    "services that extend a large one",
    `services:\n  s: {image: b, labels: {${times(3000, (at) => `l${at}: x`).join(", ")}}}\n${times(90, (at) => `  a${at}: {extends: s}\n`).join("")}`,
    [],
  ],
  [
    "a file that is included many times",
    `include: [{path: [${times(400, () => "a.yaml").join(", ")}]}]`,
    [{ path: "a.yaml", text: `services: {s: {image: b}}\nvolumes: {${times(400, (at) => `v${at}: `).join(", ")}}` }],
  ],
  [
    "variables of an included file",
    `include: [{path: a.yaml, env_file: [${times(400, () => "b.env").join(", ")}]}]`,
    [
      { path: "a.yaml", text: "services: {s: {image: b}}" },
      { path: "b.env", text: `A=${"a".repeat(30_000)}` },
    ],
  ],
])("a short file that stands for much text is refused: %s", (_, file, files) => {
  const env = `${DOUBLED}\n${times(99, (at) => `V${at}=$LONG`).join("\n")}`;
  expect(messagesOf(file, env, files)).toEqual([TOO_MUCH]);
});
