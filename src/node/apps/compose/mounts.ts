import type { MountSpec } from "./model.ts";
import { pathFrom } from "./paths.ts";
import {
  type Field,
  type Reading,
  readBoolean,
  readBytes,
  readList,
  readMap,
  readText,
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

/** What a file system in memory may be told besides its size and its mode. */
const TMPFS_OPTION = /^(no)?(exec|suid|dev|atime|diratime)$|^(ro|rw|relatime|strictatime|(uid|gid|nr_inodes)=\d+)$/;

/** Mounts of `tmpfs:`, such as `/run:size=64m,mode=1777`. */
export function readTmpfs(reading: Reading, field: Field): MountSpec[] {
  const items = field.node.kind === "scalar" ? [field] : readList(reading, field);
  return items.flatMap((item) => {
    const text = readText(reading, item);
    return text === null ? [] : [readTmpfsText(reading, item, text)];
  });
}

function readTmpfsText(reading: Reading, item: Field, text: string): MountSpec {
  const [target = "", written = ""] = text.split(":");
  checkTarget(reading, item, target);
  let sizeBytes: number | null = null;
  let mode: number | null = null;
  const options: string[] = [];
  for (const option of written.split(",").filter((each) => each !== "")) {
    const [name, value] = splitOnce(option, "=");
    const isText = reading.dialect === "project" && TMPFS_OPTION.test(option);
    if (name === "size") sizeBytes = parseBytes(value);
    else if (name === "mode" && /^0?[0-7]{3,4}$/.test(value)) mode = Number.parseInt(value, 8);
    else if (isText) options.push(option);
    if (!isText && (name === "size" ? sizeBytes : name === "mode" ? mode : null) === null) {
      report(reading, item, `${option} is no option of memory that is known here`, "Use size=64m and mode=1777");
    }
  }
  return { kind: "tmpfs", target, sizeBytes, mode, options };
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
  const relabel = options.includes("z") ? "z" : options.includes("Z") ? "Z" : null;
  const isReadOnly = options.includes("ro");
  return sourceMount(reading, item, { source, target, isReadOnly, noCopy, mustExist: false, relabel });
}

function readLongMount(reading: Reading, item: Field): MountSpec | null {
  const draft = {
    type: "volume",
    source: "",
    target: "",
    isReadOnly: false,
    noCopy: false,
    mustExist: false,
    relabel: null,
  };
  let sizeBytes: number | null = null;
  let mode: number | null = null;
  for (const [name, field] of readMap(reading, item)) {
    if (name === "type") draft.type = readText(reading, field) ?? "";
    else if (name === "source") draft.source = readText(reading, field) ?? "";
    else if (name === "target") draft.target = readText(reading, field) ?? "";
    else if (name === "read_only") draft.isReadOnly = readBoolean(reading, field);
    else if (name === "volume") draft.noCopy = readOption(reading, field, "nocopy", false);
    // As Compose has it, a folder that is missing is made unless the file says otherwise.
    else if (name === "bind") draft.mustExist = !readOption(reading, field, "create_host_path", true);
    else if (name === "tmpfs") ({ sizeBytes, mode } = readTmpfsOptions(reading, field));
    else reportUnsupported(reading, field, undefined);
  }
  if (draft.type === "tmpfs") {
    checkTarget(reading, item, draft.target);
    return { kind: "tmpfs", target: draft.target, sizeBytes, mode, options: [] };
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
  readonly mustExist: boolean;
  readonly relabel: "z" | "Z" | null;
}

function sourceMount(reading: Reading, item: Field, mount: SourceMount): MountSpec | null {
  const { source, target, isReadOnly, noCopy, mustExist, relabel } = mount;
  if (!checkTarget(reading, item, target)) return null;
  if (!/^[./~]/.test(source)) return { kind: "volume", volume: source, target, isReadOnly, noCopy };
  const path = hostPath(reading, item, source);
  return path === null ? null : { kind: "bind", source: path, target, isReadOnly, mustExist, relabel };
}

/** A full path of the server, or one in the folder of the project; `null`, with a problem, for anything else. */
function hostPath(reading: Reading, item: Field, source: string): string | null {
  if (source.startsWith("/") && !source.split("/").includes("..")) return source;
  const folder = item.node.from?.folder ?? "";
  const isInFolder = reading.dialect === "project" && (source.startsWith("./") || folder !== "");
  const path = isInFolder ? pathFrom(folder, source) : null;
  const held = path === null ? undefined : [...reading.texts.keys()].find((text) => holds(path, text));
  if (path !== null && isFolderPath(path) && held === undefined) return path;
  if (isInFolder && held !== undefined && held !== "compose.yaml") {
    report(reading, item, `${source} would hand over ${held}, a text of the project`, "Use a folder such as ./data");
  } else if (isInFolder)
    report(reading, item, `${source} is no folder below that of the project`, "Use one such as ./data");
  else {
    const next = "Write a path that begins with / and has no ..";
    report(reading, item, `${source} is not a full path on the server`, next);
  }
  return null;
}

/** The path of a file that a config or a secret is; without a beginning it lies in the folder of the project. */
export function filePath(reading: Reading, field: Field, text: string): string | null {
  return hostPath(reading, field, /^[./~]/.test(text) ? text : `./${text}`);
}

/** Whether what lies at a path of the project is one of its texts, or has one in it. */
const holds = (path: string, text: string): boolean => {
  const name = path.replace(/^\.\//, "").replace(/\.(new|next)$/, "");
  return name === text || text.startsWith(`${name}/`);
};

/** A folder of its own in the project's: what is beside the texts of the project, but never they themselves. */
function isFolderPath(source: string): boolean {
  const [first = "", ...more] = source.split("/").slice(1);
  const isFree = /^[a-zA-Z0-9_]/.test(first) && first !== "compose.yaml" && first !== "compose.yaml.next";
  return isFree && !more.includes("..") && !source.includes(":");
}

function checkTarget(reading: Reading, item: Field, target: string): boolean {
  if (target.startsWith("/")) return true;
  report(reading, item, `${target || "nothing"} is not a path in the container`, "Write a path that begins with /");
  return false;
}

/** The one option of a map that we know. */
function readOption(reading: Reading, field: Field, known: string, otherwise: boolean): boolean {
  let value = otherwise;
  for (const [name, option] of readMap(reading, field)) {
    if (name === known) value = readBoolean(reading, option);
    else reportUnsupported(reading, option, undefined);
  }
  return value;
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
