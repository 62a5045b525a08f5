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
 * is mounted twice, is the folder that it shows, and lies in all that this lies in.
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

  function shownBy(mount: Mount): Folder {
    const key = hasRoot(mount) ? mount.dev : `${mount.dev} ${mount.point}`;
    const top = systems.get(key) ?? { up: null, name: "" };
    systems.set(key, top);
    return hasRoot(mount) ? partsOf(mount.root).reduce(below, top) : top;
  }

  function pointAt(up: OpenPoint | null, name: string, mount: Mount | undefined): OpenPoint {
    const folder = mount ? shownBy(mount) : up === null ? { up: null, name: "" } : below(up.folder, name);
    const point: OpenPoint = { up, name, folder, isMount: mount !== undefined, below: new Map() };
    if (mount) points.set(folder, [...(points.get(folder) ?? []), point]);
    up?.below.set(name, point);
    return point;
  }

  const table = new Map(mounts.map((mount) => [`/${partsOf(mount.point).join("/")}`, mount]));
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
