import type { KeyObject } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildIndex, listFolders, readTemplateText } from "../node/apps/templates/index-build.ts";
import { signIndex } from "../node/apps/templates/index-sign.ts";
import { lintTemplate } from "../node/apps/templates/lint.ts";

/**
 * Lints every template below `folder`/templates and writes the signed index to `folder`/templates-index, where the
 * compiled node looks for it. Answers the number of apps; throws with every problem when one breaks a rule.
 */
export async function buildCatalogue(folder: string, privateKey: KeyObject): Promise<number> {
  const templates = join(folder, "templates");
  const problems: string[] = [];
  for (const name of await listFolders(templates)) {
    for (const version of await listFolders(join(templates, name))) {
      const text = await readTemplateText(templates, name, version);
      const found = lintTemplate(text, { name, version });
      problems.push(...found.map(({ rule, message }) => `${name} ${version}: ${message} (${rule})`));
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const index = await buildIndex(templates);
  const text = JSON.stringify(index);
  mkdirSync(join(folder, "templates-index"), { recursive: true });
  writeFileSync(join(folder, "templates-index/index.json"), text);
  writeFileSync(join(folder, "templates-index/index.json.sig"), signIndex(text, privateKey));
  return index.templates.length;
}
