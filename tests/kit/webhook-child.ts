/** A node of a test that does nothing but emit and deliver events, to be killed: `bun webhook-child.ts DIR emit|drain`. */
import { join } from "node:path";
import { loadConfig } from "../../src/kernel/config.ts";
import { migrate } from "../../src/kernel/db/migrate.ts";
import { openDatabase } from "../../src/kernel/db/open.ts";
import { embedRoot } from "../../src/kernel/embed.ts";
import { collectMigrations } from "../../src/kernel/feature.ts";
import { createLog } from "../../src/kernel/log.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { buildNode } from "../../src/node/app.ts";
import { nodeConfigTable } from "../../src/node/config.ts";
import { nodeFeatures } from "../../src/node/features.ts";

const [data_dir = "", task = ""] = process.argv.slice(2);
const mainDb = openDatabase(join(data_dir, "main.db"));
migrate(mainDb, collectMigrations(nodeFeatures), "2026-01-01T00:00:00.000Z", () => {});
mainDb.run("CREATE TABLE IF NOT EXISTS causes (number INTEGER PRIMARY KEY) STRICT");
const { node: ctx } = buildNode({
  config: loadConfig(nodeConfigTable, {}, { data_dir, webhook_allow_cidrs: "127.0.0.0/8" }),
  version: "1.2.3",
  embedRoot: embedRoot("node"),
  log: createLog(systemClock, "error", (line) => process.stderr.write(`${line}\n`)),
  clock: systemClock,
  ids: createIds(systemClock.now),
  random: Math.random,
  mainDb,
  metricsDb: openDatabase(":memory:"),
  sealKey: new Uint8Array(32).fill(7),
  signal: new AbortController().signal,
});
ctx.webhooks.start();
process.stdout.write("ready\n");

while (task === "emit") {
  ctx.db.tx(() => {
    const { lastInsertRowid } = ctx.db.raw.query("INSERT INTO causes DEFAULT VALUES").run();
    ctx.bus.emit("app.started", { app_id: String(lastInsertRowid), name: "a", template: "t", status: "running" });
  });
  await Bun.sleep(Math.random() * 3);
}
await ctx.webhooks.settled();
process.exit(0);
