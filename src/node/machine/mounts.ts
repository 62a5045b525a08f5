/** One line of `mountinfo`. */
export interface Mount {
  /** `major:minor`, the same for every mount of one filesystem. */
  dev: string;
  /** Folder of the filesystem that is mounted; `/` unless it is a bind mount or subvolume. */
  root: string;
  point: string;
  type: string;
  source: string;
  /** The folders that an overlay is made of, as they were named when it was mounted. */
  layers?: Layers;
}

/** What an overlay shows as one folder. */
export interface Layers {
  /** Where what is written goes; null where nothing can be. */
  upper: string | null;
  lowers: string[];
}

/** One filesystem with every place to ask for its size: one, or one for each dataset of a ZFS pool. */
export interface FilesystemMounts {
  device: string;
  type: string;
  point: string;
  points: string[];
}

const REAL_TYPES = new Set(["ext4", "xfs", "btrfs", "zfs", "f2fs", "vfat"]);

/** The kernel writes blanks, tabs, line ends and backslashes as octal numbers. */
function unescapeOctal(word: string): string {
  return word.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Reads the options of an overlay. A colon in a name has a backslash before it. */
function readLayers(options: string): Layers {
  const layers: Layers = { upper: null, lowers: [] };
  for (const option of options.split(",")) {
    const at = option.indexOf("=");
    const [key, value] = [option.slice(0, at), unescapeOctal(option.slice(at + 1))];
    if (key === "upperdir") layers.upper = value;
    else if (key === "lowerdir")
      layers.lowers.push(...value.split(/(?<!\\):+/).map((name) => name.replaceAll("\\:", ":")));
    else if (key === "lowerdir+") layers.lowers.push(value);
  }
  return layers;
}

/** Reads `/proc/<pid>/mountinfo`. */
export function parseMountinfo(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split("\n")) {
    const [left = "", right = ""] = line.split(" - ", 2);
    const [, , dev, root, point] = left.split(" ", 5);
    const [type, source, options = ""] = right.split(" ", 3);
    if (!dev || !root || !point || !type || !source) continue;
    const layers = type === "overlay" ? { layers: readLayers(options) } : {};
    const names = { root: unescapeOctal(root), point: unescapeOctal(point), source: unescapeOctal(source) };
    mounts.push({ dev, type, ...names, ...layers });
  }
  return mounts;
}

/** A whole filesystem before a part of it, then the shortest path. */
function byFitness(a: Mount, b: Mount): number {
  return Number(a.root !== "/") - Number(b.root !== "/") || a.point.length - b.point.length;
}

/** The mounts that can be reached: a later one on the same point hides the earlier one. */
export function visibleMounts(mounts: readonly Mount[]): Mount[] {
  return [...new Map(mounts.map((mount) => [mount.point, mount])).values()];
}

/**
 * The real filesystems among `mounts`, each once: bind mounts, subvolumes and second mounts of a device fold into one,
 * the datasets of a ZFS pool into their pool (they share its space).
 */
export function realFilesystems(mounts: readonly Mount[]): FilesystemMounts[] {
  const real = visibleMounts(mounts).filter(({ type }) => REAL_TYPES.has(type));
  const groups = Map.groupBy(real, ({ type, source, dev }) =>
    type === "zfs" ? `zfs ${source.split("/", 1)[0]}` : dev,
  );
  return [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted(byFitness);
    const [main] = sorted;
    if (!main) return [];
    const device = main.type === "zfs" ? (main.source.split("/", 1)[0] ?? main.source) : main.source;
    const datasets = [...new Map(sorted.toReversed().map((mount) => [mount.dev, mount.point])).values()].toReversed();
    return [{ device, type: main.type, point: main.point, points: datasets }];
  });
}
