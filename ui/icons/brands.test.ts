import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { embedRoot } from "../../src/kernel/embed.ts";
import { brandNames } from "./brand-names.ts";
import { buildBrandSprite } from "./brands.ts";

const templates = join(embedRoot("node"), "templates");
const icons = join(import.meta.dirname, "../../node_modules/simple-icons/icons");

test("marks are bundled for apps of the catalogue only, each as bare paths", () => {
  for (const name of brandNames) expect([name, existsSync(join(templates, name))]).toEqual([name, true]);
  const sprite = buildBrandSprite(icons);
  expect(sprite.match(/<symbol /g)?.length).toBe(brandNames.size);
  // Nothing in it runs, loads or shows text.
  expect(sprite.replace(/<\/?(svg|symbol|path)( [^>]*)?>/g, "")).toBe("");
  expect(sprite).not.toMatch(/href|style|on\w+=|url\(/i);
});
