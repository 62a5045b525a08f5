import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { outlineCompose, parseCompose } from "./index.ts";

const templates = join(import.meta.dir, "../../../../embed/node/templates");

/** Every Compose text of the catalogue. */
function catalogueTexts(): string[] {
  return readdirSync(templates, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("/compose.yaml"))
    .map((file) => readFileSync(join(templates, file), "utf8"));
}

const wholeOutline = (text: string) =>
  parseCompose(text, { file: "compose.yaml", variables: () => "1", ports: "allow" }).services.map(
    ({ name, image, dependsOn }) => ({ name, image, dependsOn }),
  );

test("the outline of every app of the catalogue is that of its whole Compose file", () => {
  const texts = catalogueTexts();
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) expect<unknown>(outlineCompose(text)?.services).toEqual(wholeOutline(text));
});

const EVERY_FORM = `
x-base: &base {image: "redis:7.10", restart: always}
services:
  web:
    image: nginx
    depends_on:
      setup: {condition: service_completed_successfully, required: false}
      cache: {condition: service_healthy}
  list: {image: nginx, depends_on: [web, cache]}
  setup: {image: busybox}
  cache: {<<: *base}
`;

test("every form of a dependency, merged maps and the order are those of the whole file", () => {
  expect<unknown>(outlineCompose(EVERY_FORM)?.services).toEqual(wholeOutline(EVERY_FORM));
});

test("where an image is given by a variable the whole file has to tell", () => {
  expect(outlineCompose("services: {web: {image: 'app:$VERSION'}}")).toBeNull();
});
