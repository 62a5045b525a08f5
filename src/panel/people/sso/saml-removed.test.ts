import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { makeSamlForger, type SamlForger } from "../../../../tests/kit/saml-forger.ts";
import { makeSamlWorld } from "../../../../tests/kit/saml-world.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";

onEachEngine("an answer of SAML that is judged while its connector changes", (engine) => {
  const databases = panelDatabases(engine);
  const texts = new Map<string, string[]>();
  let panel: TestPanel;
  let forger: SamlForger;
  let sites = 0;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
    panel.clock.jump(Date.now() - panel.clock.now());
    forger = await makeSamlForger(panel.clock.now);
    forger.people.set("ann", { name_id: "ann", attributes: { groups: ["ops"] } });
  });

  /** Posts an answer, does something once the judge has it, and gives what the page is told. */
  async function meanwhile(change: (world: Awaited<ReturnType<typeof makeSamlWorld>>) => Promise<unknown>) {
    const world = await makeSamlWorld(panel, forger, texts, `office${engine.slice(0, 1)}${++sites}`);
    const browser = world.openBrowser();
    const answer = await browser.toProvider("ann");
    const find = panel.system.get.bind(panel.system);
    let isFound = false;
    // The connector was read before, and all else of the panel goes on while the judge works.
    panel.system.get = async (sql, params) => {
      const row = await find(sql, params);
      if (!isFound && sql.includes("FROM sso_connectors WHERE id")) {
        isFound = true;
        await change(world);
      }
      return row as never;
    };
    try {
      return (await browser.land(answer)).get("error");
    } finally {
      panel.system.get = find;
    }
  }

  test("says so on a page when it is removed, turned off, or gone with its workspace", async () => {
    expect(await meanwhile(({ call, id }) => call(`DELETE /api/sso/connectors/${id}`))).toBe("changed");
    expect(await meanwhile(({ call, id }) => call(`POST /api/sso/connectors/${id}/turn-off`))).toMatch(
      /^(changed|off)$/,
    );
    const mark = "UPDATE tenants SET deleted_at = 1, status = 'suspended' WHERE tenant_id = ?";
    expect(await meanwhile(({ owner }) => panel.system.run(mark, [owner.tenant_id]))).toBe("changed");
  });
});
