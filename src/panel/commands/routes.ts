import { loadConfig } from "../../kernel/config.ts";
import { embedRoot } from "../../kernel/embed.ts";
import { formatRoutes } from "../../kernel/http/route-table.ts";
import { createLog } from "../../kernel/log.ts";
import { type Command, EXIT } from "../../kernel/service/cli.ts";
import { createSqlDb } from "../../kernel/sql/create-db.ts";
import type { Driver } from "../../kernel/sql/port.ts";
import { VERSION } from "../../kernel/version.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { buildPanel } from "../app.ts";
import { panelConfigTable } from "../config.ts";

/** A database that nobody asks: routes are listed without one. */
const nowhere: Driver = {
  engine: "sqlite",
  once: () => Promise.reject(new Error("there is no database here")),
  transaction: () => Promise.reject(new Error("there is no database here")),
  close: async () => {},
};

/** Every route of the panel, built without data. */
export function listPanelRoutes() {
  const { routes } = buildPanel({
    config: loadConfig(panelConfigTable, {}, {}),
    version: VERSION,
    embedRoot: embedRoot("panel"),
    log: createLog(systemClock, "error", () => {}),
    clock: systemClock,
    ids: createIds(systemClock.now),
    db: createSqlDb(nowhere),
    signal: new AbortController().signal,
    sealKey: new Uint8Array(32),
  });
  return routes;
}

export const routes: Command = {
  name: "routes",
  summary: "Print every route with its access rule and feature",
  run(_options, print) {
    for (const line of formatRoutes(listPanelRoutes())) print(line);
    return EXIT.ok;
  },
};
