import type { Mount } from "../../machine/index.ts";

/** A folder or file by what it is, in the file system that it lies in: what is the same has one of these, whatever it is called. */
export interface Folder {
  /** What it lies in; null for the top of a file system. */
  readonly up: Folder | null;
  readonly name: string;
}

/** A place in the tree of mount points, by the names that the server has for it. */
export interface Point {
  readonly up: Point | null;
  readonly name: string;
  readonly folder: Folder;
  readonly isMount: boolean;
  /** What else it shows: the lower folders of an overlay. */
  readonly lowers: readonly Folder[];
  readonly below: ReadonlyMap<string, Point>;
}

interface Named {
  readonly up: Named | null;
  readonly name: string;
}

/** The folders of a server, as far as they are asked for. */
export interface Folders {
  /** Where all paths begin. */
  readonly root: Point;
  /** Something in a folder by its name there. */
  below(folder: Folder, name: string): Folder;
  /** Where a folder is mounted. */
  pointsOf(folder: Folder): readonly Point[];
}

/** The full path of what has a name in what it lies in. */
export function pathOf(thing: Named): string {
  const names: string[] = [];
  for (let at = thing; at.up !== null; at = at.up) names.push(at.name);
  return `/${names.reverse().join("/")}`;
}

/** The parts of a path that are names. */
export const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "" && part !== ".");

/** Whether the table says which folder of its file system is mounted: it does not for NFS, and what was removed has no name. */
const hasRoot = ({ type, root }: Mount): boolean => !/^nfs\d*$/.test(type) && !root.endsWith("//deleted");

/**
 * Knows folders by the table of mounts: each is a file system and a way within it, so that a bind mount, or a part of a file system that
 * is mounted twice, is the folder that it shows, and lies in all that this lies in. An overlay is its upper folder, where all that is
 * written in it goes.
 */
export function createFolders(mounts: readonly Mount[]): Folders {
  const insides = new Map<Folder, Map<string, Folder>>();
  const systems = new Map<string, Folder>();
  const points = new Map<Folder, Point[]>();

  function below(up: Folder, name: string): Folder {
    const inside = insides.get(up);
    const found = inside?.get(name);
    if (found) return found;
    const made = { up, name };
    if (inside) inside.set(name, made);
    else insides.set(up, new Map([[name, made]]));
    return made;
  }

  const table = new Map(mounts.map((mount) => [`/${partsOf(mount.point).join("/")}`, mount]));

  /** A full path by the table alone; null where it lies in one of `within`, whose folders are being looked for. */
  function folderAt(path: string, within: readonly Mount[]): Folder | null {
    const parts = partsOf(path);
    for (let length = parts.length; length >= 0; length -= 1) {
      const mount = table.get(`/${parts.slice(0, length).join("/")}`);
      if (mount === undefined) continue;
      return within.includes(mount) ? null : parts.slice(length).reduce(below, shownBy(mount, within));
    }
    return null;
  }

  const layersAt = (mount: Mount, paths: readonly string[], within: readonly Mount[]): Folder[] =>
    paths.flatMap((path) => (path.startsWith("/") ? (folderAt(path, [...within, mount]) ?? []) : []));

  function shownBy(mount: Mount, within: readonly Mount[] = []): Folder {
    const [upper] = layersAt(mount, mount.layers?.upper ? [mount.layers.upper] : [], within);
    if (upper) return partsOf(mount.root).reduce(below, upper);
    const key = hasRoot(mount) ? mount.dev : `${mount.dev} ${mount.point}`;
    const top = systems.get(key) ?? { up: null, name: "" };
    systems.set(key, top);
    return hasRoot(mount) ? partsOf(mount.root).reduce(below, top) : top;
  }

  function pointAt(up: OpenPoint | null, name: string, mount: Mount | undefined): OpenPoint {
    const folder = mount ? shownBy(mount) : up === null ? { up: null, name: "" } : below(up.folder, name);
    const lowers = mount ? layersAt(mount, mount.layers?.lowers ?? [], []) : [];
    const shown = mount ? lowers.map((lower) => partsOf(mount.root).reduce(below, lower)) : [];
    const point: OpenPoint = { up, name, folder, isMount: mount !== undefined, lowers: shown, below: new Map() };
    if (mount) points.set(folder, [...(points.get(folder) ?? []), point]);
    up?.below.set(name, point);
    return point;
  }

  const root = pointAt(null, "", table.get("/"));
  for (const end of [...table.keys()].sort()) {
    let at = root;
    let path = "";
    for (const part of partsOf(end)) {
      path += `/${part}`;
      at = at.below.get(part) ?? pointAt(at, part, table.get(path));
    }
  }
  return { root, below, pointsOf: (folder) => points.get(folder) ?? [] };
}

interface OpenPoint extends Point {
  readonly up: OpenPoint | null;
  readonly below: Map<string, OpenPoint>;
}
