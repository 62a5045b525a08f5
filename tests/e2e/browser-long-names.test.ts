import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../kit/client.ts";
import { type Dashboard, show, startDashboard } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { sidewaysFaults } from "../kit/look.ts";
import { until } from "../kit/until.ts";

/** As long as a name may be, without a place to break it. */
const long = (length: number): string => "Wolkenkuckucksheim".repeat(length).slice(0, length);

suite("a name of eighty characters", ["chromium", "docker", "registry", "images"], () => {
  let dashboard: Dashboard;
  const paths: string[] = [];
  let disk = "";

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
    await keepFiles(owner);
    await owner.ok("POST /api/backup/drop-offs", {
      ...{ name: long(80), quota_bytes: 64 * 1024 ** 2, append_only: true, expires_in_days: null },
    });
    disk = mkdtempSync(join(tmpdir(), `orrery-${long(60)}`));
    const target = await owner.ok("POST /api/backup/targets", { type: "local", name: long(80), path: disk });
    await owner.ok("POST /api/backup/plans", {
      ...{ name: long(80), enabled: true, target: target.id, cron: "30 3 * * *", jitter_minutes: 0 },
      ...{ apps: null, include_config: true, keep: null },
    });
    await owner.ok("POST /api/backups", { target: target.id, apps: [], include_config: true });
    await until(async () => (await owner.ok("GET /api/backups"))[0]?.status === "completed", { what: "the backup" });
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
      ...["/drive", "/drive?view=shared", "/drive?view=trash", "/objects", "/backups", "/containers"],
      ...tabs("/containers", ["images", "volumes", "networks"]),
      "/cost",
      "/insights",
      "/panel",
      "/news",
      "/settings/plan",
    );
  });
  afterAll(async () => {
    await dashboard?.dispose();
    rmSync(disk, { recursive: true, force: true });
  });

  /** In the Drive, its trash and its links, and in a bucket with a key. */
  async function keepFiles({ ok, url, token }: Client): Promise<void> {
    const { id } = await ok("POST /api/drive/folders", { name: long(80), parent_id: null });
    await ok(`POST /api/drive/nodes/${id}/share`, {});
    const trashed = await ok("POST /api/drive/folders", { name: `${long(79)}2`, parent_id: null });
    await ok(`DELETE /api/drive/nodes/${trashed.id}`);
    const form = new FormData();
    form.append("file", new File(["x"], `${long(76)}.txt`));
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/drive/upload`, { method: "POST", headers, body: form })).status).toBe(200);
    await ok("POST /api/drive/webdav-passwords", { name: long(64) });
    const bucket = long(63).toLowerCase();
    await ok("POST /api/objects/buckets", { name: bucket, visibility: "public" });
    const grants = [{ bucket, read: true, write: true, owner: true }];
    await ok("POST /api/objects/access-keys", { name: long(64), grants });
  }

  /** Letters that stand one below the other, and what sticks out of a row in lines. */
  const SQUEEZED = `[
    ...[...document.querySelectorAll("main *")].filter((part) => {
      if (![...part.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim().length > 6)) return false;
      const { width, height } = part.getBoundingClientRect();
      const size = parseFloat(getComputedStyle(part).fontSize);
      return width < 2 * size && height > 6 * size;
    }),
    ...[...document.querySelectorAll(".folding td")].filter((cell) => cell.getBoundingClientRect().right > innerWidth),
  ].map((part) => part.textContent.slice(0, 40) + " is squeezed")`;

  test("makes no page wider than a phone, and squeezes no words", async () => {
    const { page, apps } = dashboard;
    const wide: string[] = [];
    for (const path of paths) {
      await show(page, apps.node.url + path);
      wide.push(...(await sidewaysFaults(page, [390])).map((fault) => `${path} ${fault}`));
      await page.setViewportSize({ width: 390, height: 844 });
      wide.push(...(await page.evaluate<string[]>(SQUEEZED)).map((fault) => `${path} ${fault}`));
    }
    expect(wide).toEqual([]);
  });
});
