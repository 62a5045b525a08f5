import type { BigIntStats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Host } from "../../machine/index.ts";
import { createFolders, type Folder, type Folders, type Point, partsOf, pathOf } from "./folders.ts";

/** As many links as the kernel follows. */
const MOST_LINKS = 40;
/** A longer path is refused by the kernel. */
const LONGEST = 4096;

/** A folder, file or link by its full path without links, or what is not there. */
export interface Place {
  readonly up: Place | null;
  readonly name: string;
  /** What it is. */
  readonly folder: Folder;
  /** What it is as well, in the lower folders of an overlay. */
  readonly lowers: readonly Folder[];
  readonly isThere: boolean;
  /** What it says where it is a link. */
  readonly link: string | null;
}

/** What lies on the way to something. */
export interface Route {
  /** Every folder, file and link that is looked up. */
  readonly places: readonly Place[];
  /** Where it leads to now. */
  readonly end: Place;
  /** The place of its name as it is written, whatever links say. */
  readonly written: Place;
}

/** The paths of a server as they are now; each place is looked at once. */
export interface Paths {
  /** Goes a full path as the kernel does, link by link; what is not there goes on as it is written. Null for one that the kernel refuses. */
  walk(path: string): Promise<Route | null>;
  readonly folders: Folders;
}

interface OpenPlace extends Place {
  readonly up: OpenPlace | null;
  readonly point: Point | undefined;
  below: Map<string, OpenPlace> | null;
}

/** The paths of this server. */
export function createPaths(host: Pick<Host, "mounts" | "pathBase">): Paths {
  const base = host.pathBase();
  const folders = createFolders(host.mounts());
  const numbered = new Map<string, Folder>();
  const { root: point } = folders;
  const { folder, lowers } = point;
  const root: OpenPlace = { up: null, name: "", folder, lowers, isThere: true, link: null, point, below: null };

  /** The file system may be one whose mounts the table does not tell apart: then a folder is known by its number. */
  function knownAs(stat: BigIntStats, folder: Folder): Folder {
    if (!stat.isDirectory() || stat.ino === 0n) return folder;
    const key = `${stat.dev}:${stat.ino}`;
    const found = numbered.get(key) ?? folder;
    numbered.set(key, found);
    return found;
  }

  function make(up: OpenPlace, name: string, stat: BigIntStats | null, link: string | null): OpenPlace {
    const point = up.point?.below.get(name);
    const named = point?.isMount === true ? point.folder : folders.below(up.folder, name);
    const folder = stat ? knownAs(stat, named) : named;
    const lowers = point?.isMount === true ? point.lowers : up.lowers.map((lower) => folders.below(lower, name));
    const made: OpenPlace = { up, name, folder, lowers, isThere: stat !== null, link, point, below: null };
    up.below ??= new Map();
    up.below.set(name, made);
    return made;
  }

  async function look(up: OpenPlace, name: string): Promise<OpenPlace> {
    const path = join(base, pathOf({ up, name }));
    const stat = path.length <= LONGEST ? await lstat(path, { bigint: true }).catch(() => null) : null;
    const link = stat?.isSymbolicLink() === true ? await readlink(path).catch(() => null) : null;
    return make(up, name, stat, link);
  }

  /** Waits for nothing below what is not there: a path may have very many parts. */
  const enter = (up: OpenPlace, name: string): OpenPlace | Promise<OpenPlace> =>
    up.below?.get(name) ?? (up.isThere ? look(up, name) : make(up, name, null, null));

  async function find(path: string): Promise<OpenPlace> {
    let at = root;
    for (const part of partsOf(resolve(path))) {
      const entered = enter(at, part);
      at = entered instanceof Promise ? await entered : entered;
    }
    return at;
  }

  async function walk(path: string): Promise<Route | null> {
    if (path.length > LONGEST) return null;
    const places: Place[] = [];
    let rest = partsOf(path);
    let at = root;
    let links = 0;
    for (let index = 0; index < rest.length; index += 1) {
      const part = rest[index] ?? "";
      if (part === "..") {
        at = at.up ?? root;
        continue;
      }
      const entered = enter(at, part);
      const place = entered instanceof Promise ? await entered : entered;
      places.push(place);
      if (place.link !== null && links < MOST_LINKS) {
        links += 1;
        rest = [...partsOf(place.link), ...rest.slice(index + 1)];
        index = -1;
        if (place.link.startsWith("/")) at = root;
      } else at = place;
    }
    return { places, end: at, written: links === 0 && !rest.includes("..") ? at : await find(path) };
  }

  return { walk, folders };
}
