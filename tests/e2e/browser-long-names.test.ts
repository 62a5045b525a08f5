import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Dashboard, startDashboard } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { sidewaysFaults } from "../kit/look.ts";

/** As long as a name may be, without a place to break it. */
const long = (length: number): string => "Wolkenkuckucksheim".repeat(length).slice(0, length);

suite("a name of eighty characters", ["chromium", "docker", "registry", "images"], () => {
  let dashboard: Dashboard;
  const paths: string[] = [];

  beforeAll(async () => {
    const face = { display_name: long(40), category: "tools", icon: "box", tagline: long(80), version: "1.0.0" };
    dashboard = await startDashboard({}, [{ name: "test-long", image: "web", face }]);
    const { owner, freshName, installed } = dashboard.apps;
    await owner.ok("PUT /api/settings/node.name", { value: long(63).toLowerCase() });
    await owner.ok("POST /api/users", { username: long(64), password: "quiet comets at noon", role: "member" });
    await owner.ok("POST /api/keys", { name: long(64) });
    await owner.ok("POST /api/alerting/channels", {
      name: long(64),
      type: "webhook",
      config: { url: `https://${long(60).toLowerCase()}.example.org/${long(80)}` },
    });
    const { id: ruleId } = await owner.ok("POST /api/alerting/rules", {
      name: long(80),
      type: "threshold",
      metric: "cpu_percent",
      op: ">",
      threshold: 99,
    });
    await owner.ok("POST /api/alerting/maintenance", {
      name: long(80),
      start: "2030-01-01T00:00:00Z",
      end: "2030-01-01T01:00:00Z",
      rule_ids: [ruleId],
    });
    const url = `https://${long(60).toLowerCase()}.example.org/${long(80)}`;
    const { id: webhookId } = await owner.ok("POST /api/webhooks", { url, events: ["*"] });
    const { id: appId, end } = await installed("test-long", freshName(long(28).toLowerCase()));
    expect(end.event).toBe("done");
    const tabs = (path: string, names: string[]) => names.map((name) => `${path}?tab=${name}`);
    paths.push(
      "/",
      "/apps",
      `/apps/${appId}`,
      ...tabs(`/apps/${appId}`, ["metrics", "logs", "access", "settings", "storage"]),
    );
    paths.push("/store", "/store?q=test-long", "/store?app=test-long", "/users", "/profile", "/security", "/settings");
    paths.push("/alerts", ...tabs("/alerts", ["rules", "channels", "templates", "maintenance"]));
    paths.push("/webhooks", `/webhooks/${webhookId}`, "/audit", "/timeline", "/metrics", "/network", "/disks");
    paths.push(
      "/containers",
      ...tabs("/containers", ["images", "volumes", "networks"]),
      "/cost",
      "/insights",
      "/panel",
      "/news",
      "/settings/plan",
    );
  }, 120_000);
  afterAll(() => dashboard?.dispose());

  test("makes no page wider than a phone", async () => {
    const { page, apps } = dashboard;
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(apps.node.url + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.locator(".sk").first().waitFor({ state: "detached" });
      wide.push(...(await sidewaysFaults(page, [390])).map((fault) => `${path} ${fault}`));
    }
    expect(wide).toEqual([]);
  }, 240_000);
});
