import { createSeal } from "../../src/kernel/seal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLive } from "../../src/panel/agents/live/index.ts";
import { createNodes } from "../../src/panel/agents/nodes/index.ts";
import { createSamples } from "../../src/panel/agents/samples/index.ts";
import { createCommands } from "../../src/panel/changes/commands/index.ts";
import { openSystem } from "../../src/panel/data/tenant-db.ts";
import { openData } from "../../src/panel/open-data.ts";
import { createTenants } from "../../src/panel/people/tenants/index.ts";
import { createPanelBase } from "./panel-base.ts";
import { createTestLog } from "./test-log.ts";

/** The live store and the commands over a panel's data as the panel itself puts it together, without its ports. Real time. */
export async function openLiveFleet(dataDir: string, databaseUrl: string) {
  const clock = systemClock;
  const { log, text } = createTestLog("warn");
  const { db, samplesDb, sealKey } = await openData({ data_dir: dataDir, database_url: databaseUrl }, clock);
  const system = openSystem(db);
  const base = { ...createPanelBase(clock, { log, seal: createSeal(sealKey) }), system };
  const samples = createSamples({ ...base, samplesDb });
  const live = createLive({ ...base, db, samples });
  const nodes = createNodes({ ...base, live, tenants: createTenants(base) });
  const commands = createCommands({ ...base, nodes, live });
  await nodes.start();
  await commands.start();
  await samples.start();
  await live.start();
  return {
    system,
    live,
    commands,
    ids: base.ids,
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
