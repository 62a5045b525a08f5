import { expect, test } from "bun:test";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import { OWN_TEMPLATES } from "../../../../tests/kit/own-templates.ts";
import { listFolders, readTemplateText } from "./index-build.ts";
import { manifestJsonSchema } from "./manifest.ts";
import { readManifest } from "./template-text.ts";

const root = join(import.meta.dir, "../../../../embed/node/templates");
const whoami = await readTemplateText(OWN_TEMPLATES, "whoami", "1.11.0");
const isValidForEditors = new Ajv({ allErrors: true }).compile(manifestJsonSchema());

test("schema.json is the schema that the node checks with; run tests/architecture/update-snapshots.ts", async () => {
  expect(await Bun.file(join(root, "schema.json")).json()).toEqual(manifestJsonSchema());
});

test("every manifest of the catalogue fits the published schema", async () => {
  const wrong: string[] = [];
  for (const name of await listFolders(root)) {
    for (const version of await listFolders(join(root, name))) {
      const { app } = await readTemplateText(root, name, version);
      if (!isValidForEditors(Bun.YAML.parse(app))) wrong.push(`${name}: ${JSON.stringify(isValidForEditors.errors)}`);
    }
  }
  expect(wrong).toEqual([]);
});

const BROKEN: Array<[string, string | RegExp, string]> = [
  ["no licence", /license:.*\n/, ""],
  ["no links", /links:\n(.*\n)/, "links: []\n"],
  ["unencrypted link", "https://github.com", "http://github.com"],
  ["unknown icon", "icon: terminal", "icon: rocket"],
  ["unknown category", "category: tools", "category: fun"],
  ["no architecture", "arch: [amd64, arm64]", "arch: []"],
  ["unknown architecture", "amd64, arm64", "amd64, vax"],
  ["port out of range", "port: 80,", "port: 80000,"],
  ["half a megabyte", "ram_mb: 16", "ram_mb: 16.5"],
  ["unknown key", "revision: 1", "revision: 1\ncolour: blue"],
  ["unknown key deep inside", "path: /", "path: /, colour: blue"],
  ["other format version", "schema: 1", "schema: 2"],
  ["number as text", "revision: 1", 'revision: "1"'],
  ["key that is no variable", "key: DISPLAY_NAME", "key: display-name"],
  ["health of two kinds", "http: /health", "http: /health\n  tcp: 80"],
  ["health of no kind", "http: /health\n", "\n"],
  ["bad publish", "publish: proxy", "publish: world"],
];

for (const [name, find, replacement] of BROKEN) {
  test(`the node and the published schema both refuse: ${name}`, () => {
    const text = whoami.app.replace(find, replacement);
    expect(text).not.toBe(whoami.app);
    expect(readManifest(text, "app.yaml").kind).toBe("problems");
    expect(isValidForEditors(Bun.YAML.parse(text))).toBe(false);
  });
}

test("a problem names file, line and key", () => {
  const result = readManifest(whoami.app.replace("icon: terminal", "icon: rocket"), "whoami/1.11.0/app.yaml");
  const line = whoami.app.split("\n").findIndex((text) => text.startsWith("icon:")) + 1;
  expect(result).toMatchObject({ problems: [{ file: "whoami/1.11.0/app.yaml", line, key: "icon" }] });
});
