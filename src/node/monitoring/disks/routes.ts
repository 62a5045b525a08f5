import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { diskRoutes } from "./contract.ts";
import { readDisk, readOverview } from "./overview.ts";
import type { Own } from "./own.ts";
import { findDisks } from "./usage/usage.ts";

/** What answers the routes of disks. */
export function bindDiskRoutes(own: Own): BoundRoutes {
  const { book, run, poll, readNow, onPolled } = own.watch;
  const overview = createCached(own.clock, seconds(60), () => {
    // A disk that was plugged in since the last round does not wait for the next one.
    if (findDisks(own).some(book.isDue)) void poll(own.signal);
    return readOverview(own, book, run);
  });
  onPolled(overview.clear);
  return bindRoutes(diskRoutes, {
    "GET /api/disks/overview": () => overview.get(),
    "GET /api/disks/{name}": async ({ params }) => readDisk(own, book, await overview.get(), params.name),
    "POST /api/disks/{name}/read": ({ params }) => readNow(params.name),
    "GET /api/system/disk/health": () => book.describe(findDisks(own)),
  });
}
