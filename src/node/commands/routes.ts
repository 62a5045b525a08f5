import { migrate } from "../../kernel/db/migrate.ts";
import { openDatabase } from "../../kernel/db/open.ts";
import { embedRoot } from "../../kernel/embed.ts";
import { collectMigrations } from "../../kernel/feature.ts";
import { formatRoutes } from "../../kernel/http/route-table.ts";
import { createLog } from "../../kernel/log.ts";
import { type Command, EXIT } from "../../kernel/service/cli.ts";
import { VERSION } from "../../kernel/version.ts";
import { systemClock, toIso } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { systemRandom } from "../../lib/random.ts";
import { buildNode } from "../app.ts";
import { nodeFeatures } from "../features.ts";
import { configFrom } from "./load.ts";

export const routes: Command = {
  name: "routes",
  summary: "Print every route with its access rule and feature",
  run(options, print) {
    const mainDb = openDatabase(":memory:");
    migrate(mainDb, collectMigrations(nodeFeatures), toIso(systemClock.now()), () => {});
    const { routes: mounted } = buildNode({
      config: configFrom(options),
      version: VERSION,
      embedRoot: embedRoot("node"),
      log: createLog(systemClock, "error", () => {}),
      clock: systemClock,
      ids: createIds(systemClock.now),
      random: systemRandom,
      mainDb,
      metricsDb: openDatabase(":memory:"),
      sealKey: new Uint8Array(32),
      signal: AbortSignal.abort(),
    });
    for (const line of formatRoutes(mounted)) print(line);
    return EXIT.ok;
  },
};
