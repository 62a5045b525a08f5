import { afterEach, beforeAll, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";
import { days, minutes } from "../../../lib/duration.ts";

onEachEngine("the daily look at proven domains", (engine) => {
  const databases = panelDatabases(engine);
  const asked: string[] = [];
  let panel: TestPanel;
  let owner: Person;
  let whileAsked: (host: string) => Promise<void> = async () => {};

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => {
      const host = name.replace("_orrery-challenge.", "");
      asked.push(host);
      await whileAsked(host);
      if (host.startsWith("silent")) throw new Error("SERVFAIL");
      return [];
    });
    owner = await panel.join("owner");
  });
  afterEach(async () => {
    await panel.system.run("DELETE FROM sso_domains");
    asked.length = 0;
    whileAsked = async () => {};
  });

  /** Proven domains that were looked at so many days ago. */
  async function prove(name: string, count: number, daysAgo: number) {
    const at = panel.clock.now() - days(daysAgo);
    for (let no = 0; no < count; no++)
      await panel.system.run(
        `INSERT INTO sso_domains (tenant_id, id, host, token, created_at, verified_at, checked_at) VALUES (?, ?, ?, 't', ?, ?, ?)`,
        [owner.tenant_id, `${name}${no}`, `${name}${no}.example`, at, at, at],
      );
  }
  const find = (id: string) =>
    panel.system.get<{ checked_at: number; failing_since: number | null }>(
      "SELECT checked_at, failing_since FROM sso_domains WHERE id = ?",
      [id],
    );

  test("comes to all of them, however many have name servers that fail", async () => {
    await prove("silent", 130, 5);
    await prove("lost", 1, 2);
    await panel.runJob("sso.domains");
    const now = panel.clock.now();
    expect(await find("lost0")).toEqual({ checked_at: now, failing_since: now });
    expect(await find("silent0")).toEqual({ checked_at: now, failing_since: null });
    // Once each.
    expect(asked).toHaveLength(131);
    await panel.runJob("sso.domains");
    expect(asked).toHaveLength(131);
  });

  test("asks others beside the silent ones, ends after its time, and the next run goes on", async () => {
    let most = 0;
    let under = 0;
    whileAsked = async () => {
      most = Math.max(most, ++under);
      await new Promise(setImmediate);
      under -= 1;
      await panel.clock.advance(minutes(0.2));
    };
    await prove("silent", 50, 5);
    await prove("lost", 1, 2);
    await panel.runJob("sso.domains");
    expect(most).toBe(20);
    expect(asked.length).toBeLessThan(50);
    whileAsked = async () => {};
    await panel.runJob("sso.domains");
    expect(asked).toHaveLength(51);
    expect((await find("lost0"))?.failing_since).toBe(panel.clock.now());
  });

  test("leaves alone what is given up or proven anew while it is asked", async () => {
    await prove("lost", 2, 20);
    const long = panel.clock.now() - days(20);
    await panel.system.run("UPDATE sso_domains SET failing_since = ?", [long]);
    const now = panel.clock.now();
    whileAsked = async (host) => {
      if (host.startsWith("lost0")) await panel.system.run("DELETE FROM sso_domains WHERE id = 'lost0'");
      else
        await panel.system.run("UPDATE sso_domains SET checked_at = ?, failing_since = NULL WHERE id = 'lost1'", [now]);
    };
    await panel.runJob("sso.domains");
    expect(await find("lost1")).toEqual({ checked_at: now, failing_since: null });
    expect(await panel.system.all("SELECT 1 AS one FROM audit_entries WHERE action = 'sso.domain_lapse'")).toEqual([]);
  });
});
