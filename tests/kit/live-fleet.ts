import { systemClock } from "../../src/lib/clock.ts";
import { openSystem } from "../../src/panel/data/tenant-db.ts";
import { listNodeRows } from "../../src/panel/features/nodes/index.ts";
import { createLiveStore, factsOf, liveTables } from "../../src/panel/live/index.ts";
import { openData } from "../../src/panel/open-data.ts";
import { createSamples } from "../../src/panel/samples/index.ts";
import { createTestLog } from "./test-log.ts";

/** The live store over a panel's data as the panel itself puts it together, without its ports. Real time. */
export async function openLiveFleet(dataDir: string, databaseUrl: string) {
  const clock = systemClock;
  const { log, text } = createTestLog("warn");
  const { db, samplesDb } = await openData({ data_dir: dataDir, database_url: databaseUrl }, clock);
  const samples = createSamples({ db: samplesDb, clock, log });
  const live = createLiveStore({ clock, log, tables: liveTables(db), samples, random: Math.random });
  const rows = await listNodeRows(openSystem(db), 0, 100_000);
  for (const row of rows) live.put(factsOf(row));
  await samples.start();
  await live.start();
  return {
    db,
    live,
    samples,
    complaints: text,
    async close() {
      await live.stop();
      await samples.stop();
      if (samplesDb !== db) await samplesDb.close();
      await db.close();
    },
  };
}
