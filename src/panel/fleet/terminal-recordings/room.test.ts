import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { openTenant } from "../../data/tenant-db.ts";
import { sumAllBytes, sumBytes } from "./store.ts";

onEachEngine("the room of recordings", (engine) => {
  const databases = panelDatabases(engine);

  test("is counted in whole blocks of the disk, so that recordings in which nothing was shown are not without end", async () => {
    const panel = await createTestPanel(await databases.open());
    const { tenant_id, member_id } = await panel.join("ada");
    for (const [no, bytes] of [0, 1, 4_097].entries())
      await panel.system.run(
        `INSERT INTO terminal_recordings (tenant_id, id, node_id, app, member_id, who, started_at, bytes, sealed_key)
         VALUES (?, ?, 'atlas', '', ?, '', 1, ?, '')`,
        [tenant_id, `rec_${no}`, member_id, bytes],
      );
    const taken = 4_096 + 2 * 4_096 + 3 * 4_096;
    expect([await sumBytes(openTenant(panel.db, tenant_id)), await sumAllBytes(panel.system)]).toEqual([taken, taken]);
  });
});
