import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppsNode, leftovers, NOTHING, startAppsNode } from "../kit/apps.ts";
import { suite, testEnv } from "../kit/env.ts";
import { releaseApp } from "../kit/release-app.ts";
import { writeTestTemplates } from "../kit/templates.ts";

const TEMPLATE = "test-leave";
/** Spoils its data, then never answers. */
const SPOILS = `    command: [sh, -c, "trap 'exit 0' TERM; echo broken > /data/visits; while :; do sleep 1; done"]`;

suite("uninstalling in the middle of an update", ["docker", "registry", "images"], () => {
  const templates = mkdtempSync(join(tmpdir(), "orrery-templates-"));
  let apps: AppsNode;

  beforeAll(async () => {
    const face = {
      display_name: "Leave",
      category: "tools",
      icon: "box",
      tagline: "An app that goes",
      version: "1.0.0",
    };
    writeTestTemplates(templates, [{ name: TEMPLATE, image: testEnv().images.web, face }]);
    apps = await startAppsNode({ ORRERY_TEMPLATES_DIR: templates });
  });
  afterAll(async () => {
    await apps?.dispose();
    rmSync(templates, { recursive: true, force: true });
  });

  test("keeps the data of before the update, which the next install takes up", async () => {
    const name = apps.freshName("leave");
    const { id } = await apps.installed(TEMPLATE, name);
    const visit = async () => (await fetch((await apps.owner.ok(`GET /api/apps/${id}`)).url)).text();
    expect(await visit()).toContain("Visits: 1");
    releaseApp(templates, TEMPLATE, "2.0.0", (text) => text.replace("    restart:", `${SPOILS}\n    restart:`), 60);
    const { op_id } = await apps.owner.ok(`POST /api/apps/${id}/update`, {});
    await apps.owner.stream(`/api/operations/${op_id}/events?from=0`, ({ data }) => data.step === "health");
    const removal = await apps.owner.ok(`DELETE /api/apps/${id}`);
    await apps.follow(removal.op_id);
    rmSync(join(templates, TEMPLATE, "2.0.0"), { recursive: true });
    const again = await apps.installed(TEMPLATE, name);
    expect([again.id, again.end.event]).toEqual([id, "done"]);
    expect(await visit()).toContain("Visits: 2");
    const end = await apps.owner.ok(`DELETE /api/apps/${id}?delete_data=true`);
    await apps.follow(end.op_id);
    expect(await leftovers(id)).toEqual(NOTHING);
  });
});
