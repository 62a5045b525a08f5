import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { days } from "../../../lib/duration.ts";
import { KEPT_DAYS } from "./forget.ts";
import { fileOf, folderOf } from "./recorder.ts";

const MANY = 450;

onEachEngine("recordings whose time is over", (engine) => {
  const databases = panelDatabases(engine);

  test("go at once with their files, however many one workspace has, and no others", async () => {
    const data_dir = mkdtempSync(join(tmpdir(), "orrery-rec-"));
    const panel = await createTestPanel(await databases.open(), { data_dir });
    const [ada, bob] = [await panel.join("ada"), await panel.join("bob")];
    const old = panel.clock.now() - days(KEPT_DAYS);
    const files = [ada, bob].map(({ tenant_id }, no) => {
      mkdirSync(folderOf(panel.ctx, tenant_id), { recursive: true });
      const path = fileOf(panel.ctx, tenant_id, `rec_${no === 0 ? 0 : "last"}`);
      writeFileSync(path, "");
      return path;
    });
    await panel.system.tx(async (tx) => {
      const add = (tenantId: string, id: string, startedAt: number, state = "whole") =>
        tx.run(
          `INSERT INTO terminal_recordings (tenant_id, id, node_id, app, member_id, who, started_at, sealed_key, state)
           VALUES (?, ?, 'atlas', '', '', '', ?, '', ?)`,
          [tenantId, id, startedAt, state],
        );
      for (let no = 0; no < MANY; no++) await add(ada.tenant_id, `rec_${no}`, old - MANY - 1 + no);
      await add(bob.tenant_id, "rec_last", old - 1);
      await add(bob.tenant_id, "rec_young", old);
      await add(bob.tenant_id, "rec_open", old - 1, "open");
    });
    await panel.runJob("terminal-recordings.forget");
    const left = await panel.system.all("SELECT id FROM terminal_recordings ORDER BY id");
    expect(left).toEqual([{ id: "rec_open" }, { id: "rec_young" }]);
    expect(files.map((path) => existsSync(path))).toEqual([false, false]);
    rmSync(data_dir, { recursive: true });
  });
});
