import { checkCount, spendTree, spendValues } from "./budget.ts";
import type { Lookup } from "./interpolate.ts";
import { mergeFiles, mergeServices, type Told } from "./merge-nodes.ts";
import { parseEnv } from "./parse-env.ts";
import { folderOfText, pathFrom } from "./paths.ts";
import { ComposeError } from "./problem.ts";
import {
  addProblems,
  type Field,
  type Reading,
  readList,
  readMap,
  readText,
  report,
  reportUnsupported,
  spend,
} from "./reading.ts";
import { type Origin, parseYamlTree, type YamlNode } from "./yaml-tree.ts";

/** As often as texts are read: more is a slip, and each takes its time. */
const MOST_READS = 50;
/** Services that extend one another, and files that include one another. */
const MOST_DEPTH = 20;
/** What an included file hands over. */
const SHARED_KEYS = ["services", "networks", "volumes", "configs", "secrets"];

/** One pass over the files of a project. */
interface Assembly {
  readonly reading: Reading;
  reads: number;
  /** Texts that were read, by where their variables come from, folder and path. */
  readonly trees: Map<Lookup, Map<string, YamlNode | null>>;
  /** Services with what they extend, by the file that has them. */
  readonly services: Map<YamlNode, Map<string, YamlNode>>;
}

/** The project's own file with all that it includes and its services extend, as one tree. Throws for a file that is not YAML. */
export function assembleProject(reading: Reading, text: string): YamlNode {
  const assembly: Assembly = { reading, reads: 0, trees: new Map(), services: new Map() };
  const origin = { file: reading.file, folder: "", lookup: reading.lookup };
  const root = parseYamlTree(text, reading.file, origin);
  treesOf(assembly, origin.lookup).set(keyOf(origin), root);
  return withIncluded(assembly, withExtended(assembly, root, origin), origin, [origin.file]);
}

const keyOf = ({ folder, file }: Origin): string => `${folder}\n${file}`;
const childOf = (node: YamlNode, key: string): YamlNode | undefined =>
  node.kind === "map" ? node.entries.get(key) : undefined;

function treesOf({ trees }: Assembly, lookup: Lookup): Map<string, YamlNode | null> {
  const found = trees.get(lookup) ?? new Map<string, YamlNode | null>();
  trees.set(lookup, found);
  return found;
}

/** Another file of the project; null, with a problem, where it is not there or cannot be read. */
function readTree(assembly: Assembly, origin: Origin, at: Field): YamlNode | null {
  const { reading } = assembly;
  const trees = treesOf(assembly, origin.lookup);
  const known = trees.get(keyOf(origin));
  if (known !== undefined) return known;
  assembly.reads += 1;
  if (assembly.reads > MOST_READS) {
    if (assembly.reads === MOST_READS + 1)
      report(reading, at, `files are read more than ${MOST_READS} times`, "Include and extend fewer of them");
    return null;
  }
  const text = reading.texts.get(origin.file);
  if (text === undefined) {
    report(reading, at, `${origin.file} is not among the files of this project`, "Add it to them");
    return null;
  }
  spend(reading, at, text.length);
  const tree = parseText(reading, text, origin);
  trees.set(keyOf(origin), tree);
  return tree;
}

function parseText(reading: Reading, text: string, origin: Origin): YamlNode | null {
  try {
    return parseYamlTree(text, origin.file, origin);
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error;
    addProblems(reading, error.problems);
    return null;
  }
}

/** The path of another file that a value names; null, with a problem, where it is none of the project. */
function readPath(reading: Reading, field: Field, folder: string): string | null {
  const text = readText(reading, field);
  const path = text === null ? null : pathFrom(folder, text);
  if (path !== null && !path.split("/").includes("..")) return path.slice(2);
  if (text !== null) {
    const next = "Add the file to this project, and write its path in there, such as ./common.yaml";
    report(reading, field, `${text} is no path in the folder of this project`, next);
  }
  return null;
}

/** Tells of values that cannot be brought together, below a path of keys. */
const telling =
  (reading: Reading, above: readonly string[]): Told =>
  (path, node) => {
    const key = [...above, ...path].join(".");
    report(reading, { key, node }, "this is of another kind than in the file that it adds to", "Write both alike");
  };

/** A file whose services have all that they extend. */
function withExtended(assembly: Assembly, root: YamlNode, origin: Origin): YamlNode {
  const services = childOf(root, "services");
  if (root.kind !== "map" || services?.kind !== "map") return root;
  checkCount(assembly.reading, "services", services);
  const entries = [...services.entries.keys()].map((name): [string, YamlNode] => [
    name,
    extendService(assembly, root, name, origin, [`${origin.file}: ${name}`]),
  ]);
  const extended = { ...services, entries: new Map(entries) };
  return { ...root, entries: new Map(root.entries).set("services", extended) };
}

function withoutKey(node: YamlNode, key: string): YamlNode {
  if (node.kind !== "map") return node;
  return { ...node, entries: new Map([...node.entries].filter(([name]) => name !== key)) };
}

function extendService(
  assembly: Assembly,
  root: YamlNode,
  name: string,
  origin: Origin,
  trail: readonly string[],
): YamlNode {
  const known = assembly.services.get(root) ?? new Map<string, YamlNode>();
  assembly.services.set(root, known);
  const done = known.get(name);
  if (done !== undefined) return done;
  const service = childOf(childOf(root, "services") ?? root, name) ?? root;
  const node = childOf(service, "extends");
  const own = withoutKey(service, "extends");
  const base =
    node === undefined ? null : findBase(assembly, root, { key: `services.${name}.extends`, node }, origin, trail);
  const told = telling(assembly.reading, ["services", name]);
  for (const each of base === null ? [] : [base, own])
    spendTree(assembly.reading, { key: `services.${name}`, node: service }, each);
  const merged = base === null || base.kind === "null" ? own : mergeServices(base, own, told);
  known.set(name, merged);
  return merged;
}

/** The service that another one extends, with all that it extends itself; null, with a problem, where there is none. */
function findBase(
  assembly: Assembly,
  root: YamlNode,
  field: Field,
  origin: Origin,
  trail: readonly string[],
): YamlNode | null {
  const { reading } = assembly;
  const isMap = field.node.kind === "map";
  const parts = isMap ? readMap(reading, field) : new Map([["service", field]]);
  for (const [key, part] of parts) if (key !== "service" && key !== "file") reportUnsupported(reading, part, undefined);
  const [service, file] = [parts.get("service"), parts.get("file")];
  if (service === undefined) {
    report(reading, field, "it does not say which service it extends", "Write service: with its name");
    return null;
  }
  const name = readText(reading, service);
  const path = file === undefined ? origin.file : readPath(reading, file, origin.folder);
  if (name === null || path === null) return null;
  const there = file === undefined ? origin : { file: path, folder: folderOfText(path), lookup: origin.lookup };
  const tree = file === undefined ? root : readTree(assembly, there, file);
  if (tree === null) return null;
  const step = `${path}: ${name}`;
  if (trail.includes(step) || trail.length >= MOST_DEPTH) {
    const isCircle = trail.includes(step);
    const words = isCircle
      ? `services extend each other: ${[...trail.slice(trail.indexOf(step)), step].join(" → ")}`
      : `this is more than ${MOST_DEPTH} services that extend one another`;
    report(reading, field, words, "Write one of them out in full");
    return null;
  }
  if (childOf(childOf(tree, "services") ?? tree, name) === undefined) {
    report(reading, service, `there is no service ${name} in ${path}`, "Correct the name");
    return null;
  }
  return extendService(assembly, tree, name, there, [...trail, step]);
}

/** A file with what the files that it includes have. */
function withIncluded(assembly: Assembly, root: YamlNode, origin: Origin, trail: readonly string[]): YamlNode {
  const node = childOf(root, "include");
  if (root.kind !== "map" || node === undefined) return root;
  let whole: YamlNode = withoutKey(root, "include");
  for (const item of readList(assembly.reading, { key: "include", node })) {
    const included = readIncluded(assembly, item, origin, trail);
    if (included !== null) whole = takeOver(assembly.reading, whole, included, item);
  }
  return whole;
}

/** Fields of one value or of a list of them. */
const oneOrMore = (reading: Reading, field: Field): readonly Field[] =>
  field.node.kind === "list" ? readList(reading, field) : [field];

function readIncluded(assembly: Assembly, item: Field, origin: Origin, trail: readonly string[]): YamlNode | null {
  const { reading } = assembly;
  const parts = item.node.kind === "map" ? readMap(reading, item) : new Map([["path", item]]);
  const known = ["path", "project_directory", "env_file"];
  for (const [key, part] of parts) if (!known.includes(key)) reportUnsupported(reading, part, undefined);
  const path = parts.get("path");
  const fields = path === undefined ? [] : oneOrMore(reading, path);
  const files = fields.map((field) => readPath(reading, field, origin.folder));
  const [first] = files;
  if (first === undefined) report(reading, item, "it does not say what is included", "Write path: with a file");
  if (first === undefined || first === null) return null;
  if (trail.includes(first) || trail.length >= MOST_DEPTH) {
    const words = trail.includes(first)
      ? `files include each other: ${[...trail.slice(trail.indexOf(first)), first].join(" → ")}`
      : `this is more than ${MOST_DEPTH} files that include one another`;
    report(reading, item, words, "Remove one include");
    return null;
  }
  const directory = parts.get("project_directory");
  const folder = directory === undefined ? folderOfText(first) : readPath(reading, directory, origin.folder);
  if (folder === null) return null;
  const lookup = includedLookup(reading, parts.get("env_file"), origin, folder);
  const originOf = (file: string): Origin => ({ file, folder, lookup });
  let whole: YamlNode | null = null;
  for (const [index, field] of fields.entries()) {
    const file = files[index] ?? null;
    const tree = file === null ? null : readTree(assembly, originOf(file), field);
    if (file === null || tree === null) return null;
    const extended = withExtended(assembly, tree, originOf(file));
    spendTree(reading, field, extended);
    whole = whole === null ? extended : mergeFiles(whole, extended, telling(reading, []));
  }
  return whole === null ? null : withIncluded(assembly, whole, originOf(first), [...trail, first]);
}

/** Variables of an included file: those of the project, then those of its own `.env` or of the files that are named. */
function includedLookup(
  reading: Reading,
  field: Field | undefined,
  { folder: above, lookup }: Origin,
  folder: string,
): Lookup {
  const byDefault = folder === "" ? ".env" : `${folder}/.env`;
  const own = new Map<string, string>();
  const take = (file: string, text: string): Record<string, string> => {
    const { variables, problems } = parseEnv(text, file, (name) => lookup(name) ?? own.get(name) ?? null);
    addProblems(reading, problems);
    for (const [name, value] of Object.entries(variables)) own.set(name, value);
    return variables;
  };
  if (field === undefined) {
    const text = reading.texts.get(byDefault);
    // The project's own variables are known already.
    if (text !== undefined && byDefault !== ".env") take(byDefault, text);
  }
  for (const item of field === undefined ? [] : oneOrMore(reading, field)) {
    const file = readPath(reading, item, above);
    const text = file === null ? undefined : reading.texts.get(file);
    if (file !== null && text !== undefined) {
      spend(reading, item, text.length);
      spendValues(reading, item, take(file, text));
    } else if (file !== null) report(reading, item, `${file} is not among the files of this project`, "Add it to them");
  }
  return (name) => lookup(name) ?? own.get(name) ?? null;
}

/** Whether both say the same, wherever they stand. */
function isSame(one: YamlNode, other: YamlNode): boolean {
  if (one === other) return true;
  if (one.kind === "list" && other.kind === "list") {
    return (
      one.items.length === other.items.length && one.items.every((item, index) => isSameAs(item, other.items[index]))
    );
  }
  if (one.kind === "map" && other.kind === "map") {
    return (
      one.entries.size === other.entries.size &&
      [...one.entries].every(([key, node]) => isSameAs(node, other.entries.get(key)))
    );
  }
  if (one.kind !== "scalar" || other.kind !== "scalar") return one.kind === other.kind;
  const isPlain = !one.text.includes("$") || one.from?.lookup === other.from?.lookup;
  return isPlain && one.text === other.text && one.from?.folder === other.from?.folder;
}

const isSameAs = (one: YamlNode, other: YamlNode | undefined): boolean => other !== undefined && isSame(one, other);

/** Adds what an included file has. Nothing is merged: two of a name are a mistake, unless they say the same. */
function takeOver(reading: Reading, whole: YamlNode, included: YamlNode, item: Field): YamlNode {
  if (whole.kind !== "map") return whole;
  if (included.kind !== "map") {
    report(reading, item, "the included file is no Compose file", "Write services: into it");
    return whole;
  }
  const parts = new Map(whole.entries);
  for (const [key, node] of included.entries) {
    if (!SHARED_KEYS.includes(key)) {
      const isOwn = key === "name" || key === "version" || key.startsWith("x-");
      if (!isOwn) reportUnsupported(reading, { key, node }, undefined);
      continue;
    }
    const before = parts.get(key);
    if (before === undefined || before.kind === "null") parts.set(key, node);
    if (before?.kind !== "map" || node.kind !== "map") continue;
    const entries = new Map(before.entries);
    for (const [name, value] of node.entries) {
      const other = entries.get(name);
      if (other !== undefined && !isSame(other, value))
        report(
          reading,
          item,
          `${key}.${name} is in the included file too, and is another one there`,
          "Rename one of them",
        );
      else entries.set(name, value);
    }
    parts.set(key, { ...before, entries });
  }
  return { ...whole, entries: parts };
}
