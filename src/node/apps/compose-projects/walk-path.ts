import { readlink } from "node:fs/promises";
import { dirname } from "node:path";

/** As many links as the kernel follows. */
const MOST_LINKS = 40;
/** A longer path is refused by the kernel. */
const LONGEST = 4096;

/** What lies on the way to something. */
export interface Route {
  /** Every folder, file and link that is looked up, by its full path without links. */
  readonly places: readonly string[];
  /** Where it leads to now. */
  readonly end: string;
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "" && part !== ".");

/** What a link says; null for what is none, and undefined where nothing can be. */
async function readLink(path: string): Promise<string | null | undefined> {
  return readlink(path).catch((error) =>
    error instanceof Error && "code" in error && error.code === "EINVAL" ? null : undefined,
  );
}

/** Goes a full path as the kernel does, link by link; what is not there goes on as it is written. */
export async function walkPath(path: string): Promise<Route> {
  const places: string[] = [];
  let rest = partsOf(path);
  let at = "/";
  let isThere = path.length <= LONGEST;
  let links = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === "..") {
      at = dirname(at);
      continue;
    }
    const place = at === "/" ? `/${part}` : `${at}/${part}`;
    places.push(place);
    const link = isThere && links < MOST_LINKS ? await readLink(place) : null;
    if (typeof link === "string") {
      links += 1;
      rest = [...partsOf(link), ...rest];
      if (link.startsWith("/")) at = "/";
      continue;
    }
    isThere &&= link !== undefined;
    at = place;
  }
  return { places, end: at };
}
