import { spendValues } from "./budget.ts";
import type { GivenFile, MountSpec } from "./model.ts";
import { filePath } from "./mounts.ts";
import { pathFrom } from "./paths.ts";
import {
  type Field,
  type FileSource,
  lookupOf,
  type Reading,
  readInteger,
  readList,
  readMap,
  readText,
  report,
  reportUnsupported,
} from "./reading.ts";

/** The two kinds of files that a Compose file hands to its services. */
export type GivenKind = GivenFile["kind"];

/** More than this is data, which belongs into a volume. */
const MOST_CONTENT = 65_536;
const SOURCES = ["file", "content", "environment"];

/** What stands below `configs:` or `secrets:` of a file, by name. */
export function readFileSources(reading: Reading, field: Field): Map<string, FileSource> {
  const sources = new Map<string, FileSource>();
  for (const [name, entry] of readMap(reading, field)) {
    const found: FileSource[] = [];
    for (const [key, option] of readMap(reading, entry)) {
      if (SOURCES.includes(key)) found.push(...readSource(reading, key, option));
      else reportUnsupported(reading, option, "Give it as file:, content: or environment:");
    }
    const [source, ...more] = found;
    if (more.length > 0) report(reading, entry, `${name} is given twice`, `Keep one of ${SOURCES.join(", ")}`);
    // What was refused for another reason counts as given: one fault is told once.
    sources.set(name, source ?? { kind: "content", text: "" });
    const isEmpty = entry.node.kind !== "map" || entry.node.entries.size === 0;
    if (isEmpty) report(reading, entry, `${name} is given by nothing`, `Write one of ${SOURCES.join(", ")}`);
  }
  return sources;
}

function readSource(reading: Reading, key: string, field: Field): FileSource[] {
  const text = readText(reading, field);
  if (text === null) return [];
  if (key === "file") {
    const inProject = pathFrom(field.node.from?.folder ?? "", text)?.slice(2);
    const further = inProject === reading.file ? undefined : reading.texts.get(inProject ?? "");
    // A text that comes with the project is handed over as it is: its file is another one after the next deploy.
    if (further !== undefined) return checkContent(reading, field, further);
    const path = filePath(reading, field, text);
    return path === null ? [] : [{ kind: "file", path }];
  }
  const content = key === "content" ? text : lookupOf(reading, field)(text);
  if (content !== null) return checkContent(reading, field, content);
  report(reading, field, `${text} has no value`, `Give ${text} a value in .env`);
  return [];
}

function checkContent(reading: Reading, field: Field, text: string): FileSource[] {
  if (text.length <= MOST_CONTENT) return [{ kind: "content", text }];
  const next = "Keep it in a file of its own: file: ./name";
  report(reading, field, `this is more than ${MOST_CONTENT} characters`, next);
  return [];
}

interface Use {
  source: string;
  target: string;
  uid: number;
  gid: number;
  mode: number;
}

/** The configs or secrets that a service takes: those that are files of the server as mounts, the others with their text. */
export function readGivenFiles(
  reading: Reading,
  kind: GivenKind,
  field: Field,
): { mounts: MountSpec[]; files: GivenFile[] } {
  const mounts: MountSpec[] = [];
  const files: GivenFile[] = [];
  for (const item of readList(reading, field)) {
    const use = readUse(reading, item);
    if (use === null) continue;
    const source = reading.sources[kind].get(use.source);
    if (source === undefined) {
      report(reading, item, `the ${kind} ${use.source} is not declared`, `Add it below ${kind}s: of the file`);
      continue;
    }
    const target = targetOf(kind, use);
    if (target.includes(":") || target.split("/").includes("..") || Buffer.byteLength(target) > 100) {
      report(
        reading,
        item,
        `${target} is no place for a ${kind}`,
        "Write a path of at most 100 letters without : and ..",
      );
    } else if (source.kind === "file") {
      mounts.push({ kind: "bind", source: source.path, target, isReadOnly: true, mustExist: true, relabel: null });
    } else {
      const { uid, gid, mode } = use;
      spendValues(reading, item, { [target]: source.text });
      files.push({ kind, name: use.source, target, text: source.text, uid, gid, mode });
    }
  }
  return { mounts, files };
}

/** Where Compose puts it: secrets below /run/secrets, configs at the top. */
function targetOf(kind: GivenKind, { source, target }: Use): string {
  const name = target === "" ? source : target;
  if (name.startsWith("/")) return name;
  return kind === "secret" ? `/run/secrets/${name}` : `/${name}`;
}

function readUse(reading: Reading, item: Field): Use | null {
  const use: Use = { source: "", target: "", uid: 0, gid: 0, mode: 0o444 };
  if (item.node.kind !== "map") {
    use.source = readText(reading, item) ?? "";
    return use.source === "" ? null : use;
  }
  for (const [name, option] of readMap(reading, item)) {
    if (name === "source") use.source = readText(reading, option) ?? "";
    else if (name === "target") use.target = readText(reading, option) ?? "";
    else if (name === "uid") use.uid = readInteger(reading, option, 0) ?? 0;
    else if (name === "gid") use.gid = readInteger(reading, option, 0) ?? 0;
    else if (name === "mode") use.mode = readMode(reading, option);
    else reportUnsupported(reading, option, undefined);
  }
  if (use.source !== "") return use;
  report(reading, item, "it does not say what is given", "Write source: with the name from the file");
  return null;
}

/** Permission bits. Compose takes 440 for a decimal number, which nobody means: it is asked for a zero in front. */
function readMode(reading: Reading, field: Field): number {
  const text = readText(reading, field) ?? "0444";
  if (/^0o?[0-7]{3}$/.test(text)) return Number.parseInt(text.replace("o", ""), 8);
  report(reading, field, `${text} are no permission bits`, "Write them with a zero in front, such as 0440");
  return 0o444;
}
