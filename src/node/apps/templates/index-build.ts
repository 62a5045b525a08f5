import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Static, t } from "elysia";
import { describeProblem } from "../compose/index.ts";
import { Template } from "./contract.ts";
import { directoryDigest } from "./index-sign.ts";
import type { Manifest } from "./manifest.ts";
import { readManifest, type TemplateText } from "./template-text.ts";

/** What the list of the store needs, made once, so that no YAML is read to show it. */
export const CatalogueIndex = t.Object({
  schema: t.Literal(1),
  templates: t.Array(
    t.Object({
      template: Template,
      /** Newest first. */
      versions: t.Array(t.Object({ version: t.String(), revision: t.Number(), sha256: t.String() })),
    }),
  ),
});
export type CatalogueIndex = Static<typeof CatalogueIndex>;
export type IndexEntry = CatalogueIndex["templates"][number];

const newestFirst = new Intl.Collator("en", { numeric: true });

/** The store's view of a manifest. */
export function templateOf(manifest: Manifest): Template {
  const { name, display_name, description, category, version, icon, tagline } = manifest;
  return { name, display_name, description, category, version, icon, tagline, featured: manifest.featured ?? false };
}

/** Reads both files of one version. */
export async function readTemplateText(root: string, name: string, version: string): Promise<TemplateText> {
  const read = (file: string): Promise<string> => Bun.file(join(root, name, version, file)).text();
  const [app, compose] = await Promise.all([read("app.yaml"), read("compose.yaml")]);
  return { app, compose };
}

/** Digest of one version as the index holds it. */
export function digestOf(text: TemplateText): string {
  return directoryDigest({ "app.yaml": text.app, "compose.yaml": text.compose });
}

/** Folder names below a folder, sorted; none when it does not exist. */
export async function listFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Builds the index of a folder of templates; throws when a manifest is wrong, with every problem. */
export async function buildIndex(root: string): Promise<CatalogueIndex> {
  const templates: IndexEntry[] = [];
  for (const name of await listFolders(root)) templates.push(await buildEntry(root, name));
  return { schema: 1, templates };
}

/** Index entry of one template. */
export async function buildEntry(root: string, name: string): Promise<IndexEntry> {
  const names = (await listFolders(join(root, name))).sort((left, right) => newestFirst.compare(right, left));
  const versions: IndexEntry["versions"] = [];
  let template: Template | null = null;
  for (const version of names) {
    const text = await readTemplateText(root, name, version);
    const result = readManifest(text.app, `${name}/${version}/app.yaml`);
    if (result.kind === "problems") throw new Error(result.problems.map(describeProblem).join("\n"));
    template ??= templateOf(result.manifest);
    versions.push({ version, revision: result.manifest.revision, sha256: digestOf(text) });
  }
  if (template === null) throw new Error(`${name} has no version`);
  return { template, versions };
}
