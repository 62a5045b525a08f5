import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dashboard, sees, startDashboard } from "../kit/dashboard.ts";
import { suite, testEnv } from "../kit/env.ts";
import { look } from "../kit/look.ts";
import { releaseApp } from "../kit/release-app.ts";
import { writeTestTemplates } from "../kit/templates.ts";

suite("an update in a browser", ["chromium", "docker", "registry", "images"], () => {
  const templates = mkdtempSync(join(tmpdir(), "orrery-templates-"));
  let dashboard: Dashboard;
  let id = "";
  const button = (name: string) => dashboard.page.getByRole("button", { name, exact: true });
  const dialog = (name: string) => dashboard.page.getByRole("dialog", { name });

  beforeAll(async () => {
    const face = {
      display_name: "Ship",
      category: "tools",
      icon: "box",
      tagline: "An app that moves",
      version: "1.0.0",
    };
    writeTestTemplates(templates, [{ name: "test-ship", image: testEnv().images.web, face }]);
    dashboard = await startDashboard({ ORRERY_TEMPLATES_DIR: templates });
    const { apps } = dashboard;
    ({ id } = await apps.installed("test-ship", apps.freshName("ship")));
  });
  afterAll(async () => {
    await dashboard?.dispose();
    rmSync(templates, { recursive: true, force: true });
  });

  test("says what changes, is copied and leads back; does it; and goes back when asked", async () => {
    releaseApp(templates, "test-ship", "2.0.0");
    await dashboard.visit(`/apps/${id}`, "Ship");
    await sees(dashboard.page, "Version 2.0.0 is ready.");
    await button("Update…").click();
    const plan = dialog("Update Ship to 2.0.0");
    for (const part of ["What changes", "Copied first", "The way back"])
      await plan.getByRole("heading", { name: part }).waitFor();
    await plan.getByText("1.0.0 can go straight to 2.0.0.").waitFor();
    await look(dashboard.page);
    await button("Skip this version").click();
    await sees(dashboard.page, "Version 2.0.0 is skipped.");
    await button("Offer it again").click();
    await button("Update…").click();
    await button("Update tonight").click();
    await sees(dashboard.page, /It is updated to 2.0.0 on /);
    await button("Do not update tonight").click();
    await button("Update…").click();
    await button("Copy and update").click();
    await sees(dashboard.page, "Updated from 1.0.0");
    await sees(dashboard.page, "Version 2.0.0");
    await button("Go back…").click();
    const back = dialog("Go back to Ship 1.0.0?").getByRole("button", { name: "Go back", exact: true });
    await back.waitFor();
    await look(dashboard.page);
    await back.click();
    await sees(dashboard.page, "Version 2.0.0 is ready.", 60_000);
    expect(await dashboard.apps.owner.ok(`GET /api/apps/${id}`)).toMatchObject({ status: "running", version: "1.0.0" });
  });

  test("tells why it went back by itself, and that the data is as it was", async () => {
    releaseApp(templates, "test-ship", "3.0.0", (text) =>
      text.replace("    restart:", '    command: [sh, -c, "exit 3"]\n    restart:'),
    );
    await dashboard.page.reload();
    await sees(dashboard.page, "Version 3.0.0 is ready.");
    await button("Update…").click();
    await button("Copy and update").click();
    await sees(dashboard.page, "3.0.0 did not come up, so it is back on 1.0.0.", 60_000);
    await sees(dashboard.page, /Its data is as it was/);
    await look(dashboard.page);
  });
});
