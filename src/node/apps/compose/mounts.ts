import type { MountSpec } from "./model.ts";
import {
  type Field,
  type Reading,
  readBoolean,
  readBytes,
  readList,
  readMap,
  readText,
  readTexts,
  report,
  reportUnsupported,
} from "./reading.ts";
import { parseBytes } from "./units.ts";

/** Mounts of `volumes:` in the short or the long form. */
export function readMounts(reading: Reading, field: Field): MountSpec[] {
  return readList(reading, field).flatMap(
    (item) => (item.node.kind === "map" ? readLongMount(reading, item) : readShortMount(reading, item)) ?? [],
  );
}

/** Mounts of `tmpfs:`, such as `/run:size=64m,mode=1777`. */
export function readTmpfs(reading: Reading, field: Field): MountSpec[] {
  return readTexts(reading, field).map((text) => {
    const [target = "", options = ""] = text.split(":");
    const values = new Map(options.split(",").map((option): [string, string] => splitOnce(option, "=")));
    const size = values.get("size");
    const mode = values.get("mode");
    checkTarget(reading, field, target);
    const sizeBytes = size === undefined ? null : parseBytes(size);
    return { kind: "tmpfs", target, sizeBytes, mode: mode === undefined ? null : Number.parseInt(mode, 8) };
  });
}

function readShortMount(reading: Reading, item: Field): MountSpec | null {
  const text = readText(reading, item);
  if (text === null) return null;
  const [source = "", target = "", flags = ""] = text.split(":");
  if (target === "") {
    report(reading, item, `${text} keeps its data in a volume without a name`, "Name it: data:/path, and declare it");
    return null;
  }
  const options = flags === "" ? [] : flags.split(",");
  const unknown = options.find((option) => !["ro", "rw", "z", "Z", "nocopy"].includes(option));
  if (unknown !== undefined) report(reading, item, `${unknown} is not a known mount option`, "Use ro, rw or nocopy");
  const noCopy = options.includes("nocopy");
  return sourceMount(reading, item, { source, target, isReadOnly: options.includes("ro"), noCopy });
}

function readLongMount(reading: Reading, item: Field): MountSpec | null {
  const draft = { type: "volume", source: "", target: "", isReadOnly: false, noCopy: false };
  let sizeBytes: number | null = null;
  let mode: number | null = null;
  for (const [name, field] of readMap(reading, item)) {
    if (name === "type") draft.type = readText(reading, field) ?? "";
    else if (name === "source") draft.source = readText(reading, field) ?? "";
    else if (name === "target") draft.target = readText(reading, field) ?? "";
    else if (name === "read_only") draft.isReadOnly = readBoolean(reading, field);
    else if (name === "volume") draft.noCopy = readNoCopy(reading, field);
    else if (name === "tmpfs") ({ sizeBytes, mode } = readTmpfsOptions(reading, field));
    else reportUnsupported(reading, field, undefined);
  }
  if (draft.type === "tmpfs") {
    checkTarget(reading, item, draft.target);
    return { kind: "tmpfs", target: draft.target, sizeBytes, mode };
  }
  const isKnown = draft.type === "volume" || draft.type === "bind";
  const isPath = /^[./~]/.test(draft.source);
  if (!isKnown || draft.source === "" || isPath !== (draft.type === "bind")) {
    report(
      reading,
      item,
      `a mount of type ${draft.type} needs a fitting source`,
      "Use a volume name, or bind and a path",
    );
    return null;
  }
  return sourceMount(reading, item, draft);
}

interface SourceMount {
  readonly source: string;
  readonly target: string;
  readonly isReadOnly: boolean;
  readonly noCopy: boolean;
}

function sourceMount(reading: Reading, item: Field, mount: SourceMount): MountSpec | null {
  const { source, target, isReadOnly, noCopy } = mount;
  if (!checkTarget(reading, item, target)) return null;
  if (source.startsWith("/") && !source.split("/").includes("..")) return { kind: "bind", source, target, isReadOnly };
  const isInFolder = source.startsWith("./") && reading.dialect === "project";
  if (isInFolder && isFolderPath(source)) return { kind: "bind", source: trimPath(source), target, isReadOnly };
  if (isInFolder) {
    report(reading, item, `${source} is no folder below that of the project`, "Use one such as ./data");
    return null;
  }
  if (/^[./~]/.test(source)) {
    report(
      reading,
      item,
      `${source} is not a full path on the server`,
      "Write a path that begins with / and has no ..",
    );
    return null;
  }
  return { kind: "volume", volume: source, target, isReadOnly, noCopy };
}

/** Slashes that change nothing would make the same folder another one. */
const trimPath = (source: string): string => source.replace(/\/+/g, "/").replace(/\/$/, "");

/** A folder of its own in the project's: what is beside the texts of the project, but never they themselves. */
function isFolderPath(source: string): boolean {
  const [first = "", ...more] = trimPath(source).split("/").slice(1);
  const isFree = /^[a-zA-Z0-9_]/.test(first) && first !== "compose.yaml" && first !== "compose.yaml.next";
  return isFree && !more.includes("..") && !source.includes(":");
}

function checkTarget(reading: Reading, item: Field, target: string): boolean {
  if (target.startsWith("/")) return true;
  report(reading, item, `${target || "nothing"} is not a path in the container`, "Write a path that begins with /");
  return false;
}

function readNoCopy(reading: Reading, field: Field): boolean {
  let noCopy = false;
  for (const [name, option] of readMap(reading, field)) {
    if (name === "nocopy") noCopy = readBoolean(reading, option);
    else reportUnsupported(reading, option, undefined);
  }
  return noCopy;
}

interface TmpfsOptions {
  sizeBytes: number | null;
  mode: number | null;
}

function readTmpfsOptions(reading: Reading, field: Field): TmpfsOptions {
  const options: TmpfsOptions = { sizeBytes: null, mode: null };
  for (const [name, option] of readMap(reading, field)) {
    if (name === "size") options.sizeBytes = readBytes(reading, option);
    else if (name === "mode") options.mode = Number.parseInt(readText(reading, option) ?? "0", 8);
    else reportUnsupported(reading, option, undefined);
  }
  return options;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
