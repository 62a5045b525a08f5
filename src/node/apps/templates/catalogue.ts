import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { getSchemaValidator } from "elysia";
import type { Log } from "../../../kernel/log.ts";
import { parseJson } from "../../../lib/json.ts";
import { type ComposeProject, describeProblem, parseCompose } from "../compose/index.ts";
import { type Category, fail, type Template, type TemplateDetail } from "./contract.ts";
import {
  buildEntry,
  buildIndex,
  CatalogueIndex,
  digestOf,
  type IndexEntry,
  listFolders,
  readTemplateText,
} from "./index-build.ts";
import { isSignedIndex } from "./index-sign.ts";
import { essentialProblems } from "./lint.ts";
import { CATEGORY_NAMES, type Manifest } from "./manifest.ts";
import { nearestName } from "./nearest.ts";
import { presentTemplate } from "./present.ts";
import { readManifest } from "./template-text.ts";

const indexValidator = getSchemaValidator(CatalogueIndex, { normalize: false, coerce: false });
const isIndex = (value: unknown): value is CatalogueIndex => indexValidator.Check(value);

/** Where templates come from. */
export interface CatalogueSources {
  /** Folder with `<name>/<version>/{app,compose}.yaml`. */
  readonly root: string;
  /** Folder with the signed index of `root`. */
  readonly indexRoot: string;
  /** Public key (PEM) whose signature the index must carry; empty in a checkout, where the index is made in memory. */
  readonly trustedKey: string;
  /** Folder with templates of the admin's own, unsigned, read anew when changed; empty for none. */
  readonly ownRoot: string;
  readonly log: Log;
}

/** One version of a template, verified and ready to install. */
export interface LoadedTemplate {
  readonly manifest: Manifest;
  /** The Compose file, untouched. */
  readonly composeText: string;
  /** Reads the Compose file with values for its variables; throws ComposeError. */
  project(variables: Readonly<Record<string, string>>): ComposeProject;
}

/** The catalogue of a running node. */
export interface Catalogue {
  list(): Promise<readonly Template[]>;
  categories(): Promise<Category[]>;
  /** Throws `no_featured_template`. */
  getFeatured(): Promise<Template>;
  /** Throws `template_not_found` with the nearest name. */
  getDetail(name: string): Promise<TemplateDetail>;
  /** The newest version, or the one asked for; throws `template_not_found` or `catalogue_untrusted`. */
  load(name: string, version?: string): Promise<LoadedTemplate>;
}

interface Shelf {
  readonly root: string;
  readonly entry: IndexEntry;
  readonly isOwn: boolean;
}

/** Opens a catalogue; nothing is read before it is asked. */
export function openCatalogue(sources: CatalogueSources): Catalogue {
  let index: Promise<CatalogueIndex> | null = null;
  const ownEntries = new Map<string, { stamp: string; entry: IndexEntry | null }>();
  const details = new Map<string, TemplateDetail>();
  let sorted: { own: string; shelves: ReadonlyMap<string, Shelf>; list: readonly Template[] } | null = null;

  const readOwn = async (): Promise<string> => {
    if (sources.ownRoot === "") return "";
    const names = await listFolders(sources.ownRoot);
    for (const name of ownEntries.keys()) if (!names.includes(name)) ownEntries.delete(name);
    for (const name of names) {
      const stamp = stampOf(sources.ownRoot, name);
      if (ownEntries.get(name)?.stamp === stamp) continue;
      ownEntries.set(name, { stamp, entry: await readOwnEntry(sources, name) });
    }
    return [...ownEntries].map(([name, { stamp }]) => `${name}=${stamp}`).join(";");
  };

  const survey = async () => {
    index ??= readIndex(sources).catch((error: unknown) => {
      index = null;
      throw error;
    });
    const [{ templates }, own] = await Promise.all([index, readOwn()]);
    if (sorted?.own === own) return sorted;
    const shelves = new Map<string, Shelf>();
    for (const entry of templates) shelves.set(entry.template.name, { root: sources.root, entry, isOwn: false });
    for (const { entry } of ownEntries.values()) {
      if (entry !== null) shelves.set(entry.template.name, { root: sources.ownRoot, entry, isOwn: true });
    }
    const list = [...shelves.values()]
      .map((shelf) => shelf.entry.template)
      .sort((left, right) => left.display_name.localeCompare(right.display_name, "en"));
    sorted = { own, shelves, list };
    return sorted;
  };

  const getShelf = async (name: string): Promise<Shelf> => {
    const { shelves } = await survey();
    const shelf = shelves.get(name);
    if (shelf !== undefined) return shelf;
    const suggestion = nearestName(name, [...shelves.keys()]);
    const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
    throw fail("template_not_found", { name, suggestion, hint });
  };

  return {
    list: async () => (await survey()).list,
    categories: async () => countCategories((await survey()).list),
    async getFeatured() {
      const featured = (await survey()).list.find((template) => template.featured);
      if (featured === undefined) throw fail("no_featured_template");
      return featured;
    },
    async getDetail(name) {
      const shelf = await getShelf(name);
      const key = `${name}@${shelf.entry.versions[0]?.sha256 ?? ""}`;
      const known = details.get(key);
      if (known !== undefined) return known;
      const { manifest, composeText } = await loadVersion(shelf, undefined);
      const detail = presentTemplate(manifest, composeText);
      details.set(key, detail);
      return detail;
    },
    load: async (name, version) => loadVersion(await getShelf(name), version),
  };
}

async function loadVersion(shelf: Shelf, wanted: string | undefined): Promise<LoadedTemplate> {
  const { name } = shelf.entry.template;
  const found = shelf.entry.versions.find(({ version }) => wanted === undefined || version === wanted);
  if (found === undefined) {
    throw fail("template_not_found", {
      name: `${name} ${wanted}`,
      suggestion: name,
      hint: ` ${name} has other versions.`,
    });
  }
  const text = await readTemplateText(shelf.root, name, found.version);
  if (!shelf.isOwn && digestOf(text) !== found.sha256) {
    throw fail("catalogue_untrusted", { reason: `${name} ${found.version} does not match its digest` });
  }
  const problems = shelf.isOwn ? essentialProblems(text, { name, version: found.version }) : [];
  const result = readManifest(text.app, `${name}/${found.version}/app.yaml`);
  if (result.kind === "problems" || problems.length > 0) {
    const faults =
      result.kind === "problems" ? result.problems.map(describeProblem) : problems.map((one) => one.message);
    throw fail("template_broken", { name, reason: faults.join(" ") });
  }
  return {
    manifest: result.manifest,
    composeText: text.compose,
    project: (variables) => parseCompose(text.compose, { file: "compose.yaml", variables, ports: "refuse" }),
  };
}

async function readIndex({ root, indexRoot, trustedKey }: CatalogueSources): Promise<CatalogueIndex> {
  if (trustedKey === "") return buildIndex(root);
  const [text, signature] = await Promise.all([
    readIfThere(join(indexRoot, "index.json")),
    readIfThere(join(indexRoot, "index.json.sig")),
  ]);
  if (!isSignedIndex(text, signature, trustedKey)) {
    throw fail("catalogue_untrusted", { reason: "the signature of its index does not fit" });
  }
  const value = parseJson(text);
  if (isIndex(value)) return value;
  throw fail("catalogue_untrusted", { reason: "its index has another format" });
}

async function readIfThere(path: string): Promise<string> {
  const file = Bun.file(path);
  return (await file.exists()) ? file.text() : "";
}

async function readOwnEntry({ ownRoot, log }: CatalogueSources, name: string): Promise<IndexEntry | null> {
  try {
    const entry = await buildEntry(ownRoot, name);
    const version = entry.versions[0]?.version ?? "";
    const problems = essentialProblems(await readTemplateText(ownRoot, name, version), { name, version });
    if (problems.length === 0) return entry;
    log.warn("own template left out", { template: name, problems });
  } catch (error) {
    log.warn("own template left out", { template: name, error });
  }
  return null;
}

/** Changes whenever a file of the template does. At once, not by turns: it is asked of every template for each list. */
function stampOf(root: string, name: string): string {
  const folder = join(root, name);
  try {
    return readdirSync(folder)
      .toSorted()
      .flatMap((version) => ["app.yaml", "compose.yaml"].map((file) => `${version}/${file}`))
      .map((file) => `${file}:${factsOf(join(folder, file))}`)
      .join(",");
  } catch {
    // It went while it was looked at; the next look finds it gone.
    return "";
  }
}

function factsOf(file: string): string {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts === undefined ? "" : `${facts.mtimeMs}:${facts.size}`;
}

function countCategories(list: readonly Template[]): Category[] {
  return Object.entries(CATEGORY_NAMES)
    .map(([id, name]) => ({ id, name, count: list.filter((template) => template.category === id).length }))
    .filter((category) => category.count > 0);
}
