import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SUBJECTS } from "../bench/updates/subjects.ts";
import { publish } from "../bench/updates/updates.ts";
import { type AppsNode, leftovers, startAppsNode } from "../kit/apps.ts";
import type { StreamEvent } from "../kit/client.ts";
import { docker } from "../kit/docker.ts";
import { suite, testEnv } from "../kit/env.ts";
import { releaseApp } from "../kit/release-app.ts";
import { writeTestTemplates } from "../kit/templates.ts";

/** All steps of an update by one version; the first test holds the list to the plan. */
const STEPS = ["pull", "stop", "copy", "switch", "run", "health", "commit"];
const TEMPLATE = "test-move";

suite("updates of apps", ["docker", "registry", "images"], () => {
  const templates = mkdtempSync(join(tmpdir(), "orrery-templates-"));
  let apps: AppsNode;
  let id = "";

  const release = (version: string, change: (compose: string) => string, startS?: number) =>
    releaseApp(templates, TEMPLATE, version, change, startS);
  const withdraw = (version: string) => rmSync(join(templates, TEMPLATE, version), { recursive: true });
  const app = () => apps.owner.ok(`GET /api/apps/${id}`);
  const visit = async () => (await fetch((await app()).url)).text();

  /** Everything in the data volumes of a generation: names, owners, modes, contents. */
  async function fingerprint(generation: number): Promise<string> {
    const suffix = generation === 0 ? "" : `.${generation}`;
    const mounts = ["data", "records"].flatMap((name) => ["-v", `orrery-${id}-${name}${suffix}:/look/${name}:ro`]);
    const look = "cd /look && ls -lnR . && find . -type f -exec sha256sum {} +";
    return docker("run", "--rm", ...mounts, "--entrypoint", "sh", testEnv().images.web, "-c", look);
  }

  /** Follows the operation and kills the node once in each step that it comes to. */
  async function followAndKill(opId: string, steps: readonly string[]): Promise<StreamEvent> {
    for (const step of steps) {
      const isThere = ({ event, data }: StreamEvent) => data.step === step || event === "done" || event === "error";
      await apps.owner.stream(`/api/operations/${opId}/events?from=0`, isThere);
      await apps.crash();
    }
    const end = (await apps.follow(opId)).at(-1);
    if (!end) throw new Error("the operation had no events");
    return end;
  }

  async function update(steps: readonly string[] = []): Promise<StreamEvent> {
    const { op_id } = await apps.owner.ok(`POST /api/apps/${id}/update`, {});
    return followAndKill(op_id, steps);
  }

  beforeAll(async () => {
    const { web } = testEnv().images;
    const face = {
      display_name: "Test move",
      category: "tools",
      icon: "box",
      tagline: "An app that moves",
      version: "1.0.0",
    };
    writeTestTemplates(templates, [{ name: TEMPLATE, image: web, withDatabase: true, face }]);
    apps = await startAppsNode({ ORRERY_TEMPLATES_DIR: templates });
    const installed = await apps.installed(TEMPLATE, apps.freshName("move"));
    expect(installed.end.event).toBe("done");
    id = installed.id;
    expect(await visit()).toContain("Visits: 1");
  });
  afterAll(async () => {
    await apps?.dispose();
    rmSync(templates, { recursive: true, force: true });
  });

  test("an image that is not there: the old version never stops", async () => {
    const { started_at } = await app();
    const web = testEnv().images.web;
    release("1.1.0", (text) => text.replaceAll(web, web.replace(/[0-9a-f]{64}$/, "0".repeat(64))));
    const before = await fingerprint(0);
    const end = await update();
    expect([end.event, end.data.error?.code]).toEqual(["error", "image_not_found"]);
    expect(await app()).toMatchObject({ status: "running", version: "1.0.0", started_at });
    expect(await fingerprint(0)).toBe(before);
    withdraw("1.1.0");
  });

  test("a migration that corrupts its data, the node killed in each step back: the old version on its old data", async () => {
    release("1.2.0", (text) =>
      text.replace("    restart:", '    command: [sh, -c, "echo broken > /data/visits; exit 3"]\n    restart:'),
    );
    const before = await fingerprint(0);
    const end = await update(["back_switch", "back_run", "back_health", "back_end"]);
    expect(end.event).toBe("error");
    expect(end.data.error.message).toContain("back on 1.0.0");
    expect(await app()).toMatchObject({ status: "running", version: "1.0.0" });
    expect(await fingerprint(0)).toBe(before);
    expect(await leftovers(id)).toEqual({ containers: 2, volumes: 2, networks: 1 });
    const { last, back } = await apps.owner.ok(`GET /api/apps/${id}/updates`);
    expect([last.ok, last.to, back]).toEqual([false, "1.2.0", null]);
    expect(last.cause).not.toBeNull();
    process.stdout.write(`failed update with four kills: away for ${last.down_ms} ms\n`);
    withdraw("1.2.0");
  });

  test("a version that never answers goes back", async () => {
    release(
      "1.3.0",
      (text) =>
        text.replace(
          "    restart:",
          "    command: [sh, -c, \"trap 'exit 0' TERM; while :; do sleep 1; done\"]\n    restart:",
        ),
      3,
    );
    const before = await fingerprint(0);
    const end = await update();
    expect(end.event).toBe("error");
    expect(await app()).toMatchObject({ status: "running", version: "1.0.0" });
    expect(await fingerprint(0)).toBe(before);
    withdraw("1.3.0");
  });

  test("a good one, the node killed in each step: the new version with the data, and the old kept bit by bit", async () => {
    release("2.0.0", (text) => text.replace("GREETING: $", "GREETING: second-$"));
    const { to, ok } = await apps.owner.ok(`GET /api/apps/${id}/updates`);
    expect([to.version, ok]).toEqual(["2.0.0", true]);
    const before = await fingerprint(0);
    const { op_id } = await apps.owner.ok(`POST /api/apps/${id}/update`, { version: "2.0.0" });
    const plan = await apps.owner.stream(`/api/operations/${op_id}/events?from=0`, () => true);
    expect(plan[0]?.data.steps.map(({ step }: { step: string }) => step)).toEqual(STEPS);
    const end = await followAndKill(op_id, STEPS);
    expect(end.event).toBe("done");
    expect(await app()).toMatchObject({ status: "running", version: "2.0.0", update: null });
    expect(await visit()).toMatch(/Greeting: second-hello[\s\S]*Visits: 2/);
    expect(await fingerprint(0)).toBe(before);
    const { last, back } = await apps.owner.ok(`GET /api/apps/${id}/updates`);
    expect([last.ok, back.version]).toEqual([true, "1.0.0"]);
    process.stdout.write(`update with seven kills: away for ${last.down_ms} ms\n`);
  });

  test("PostgreSQL writes what it has before it is stopped, the node killed meanwhile; the dump is offered with the way back", async () => {
    const subject = SUBJECTS.find(({ name }) => name === "postgres");
    if (!subject) throw new Error("there is no PostgreSQL");
    const name = "test-postgres";
    await publish(subject, templates, name);
    const installed = await apps.installed(name, apps.freshName("pg"));
    expect(installed.end.event).toBe("done");
    const path = `/api/apps/${installed.id}`;
    releaseApp(templates, name, "2.0.0");
    const shown = await apps.owner.ok(`GET ${path}/updates`);
    expect(shown.dumped).toEqual([{ service: "database", kind: "postgres" }]);
    const { op_id } = await apps.owner.ok(`POST ${path}/update`, {});
    expect((await followAndKill(op_id, ["dump"])).event).toBe("done");
    const { back } = await apps.owner.ok(`GET ${path}/updates`);
    expect(back.dumps).toEqual([
      { name: "database.sql", service: "database", kind: "postgres", problem: null, size_bytes: expect.any(Number) },
    ]);
    const headers = { authorization: `Bearer ${apps.owner.token}` };
    const file = await fetch(`${apps.node.url}${path}/updates/dumps/database.sql`, { headers });
    const text = gunzipSync(new Uint8Array(await file.arrayBuffer())).toString();
    expect(text.length).toBe(back.dumps[0].size_bytes);
    expect(text).toContain("COPY public.rows (id, v) FROM stdin;");
    expect(text).toContain("database cluster dump complete");
    // Whoever goes back has that data again, and no need of its dump.
    const rollback = await apps.owner.ok(`POST ${path}/rollback`);
    expect((await apps.follow(rollback.op_id)).at(-1)?.event).toBe("done");
    expect(existsSync(join(apps.node.dataDir, "app-dumps", installed.id, "0"))).toBe(false);
    const removal = await apps.owner.ok(`DELETE ${path}?delete_data=true`);
    await apps.follow(removal.op_id);
    expect(existsSync(join(apps.node.dataDir, "app-dumps", installed.id))).toBe(false);
  });

  test("somebody goes back: the old version and data again; then up again without a kill", async () => {
    const { op_id } = await apps.owner.ok(`POST /api/apps/${id}/rollback`);
    expect((await apps.follow(op_id)).at(-1)?.event).toBe("done");
    expect(await app()).toMatchObject({ status: "running", version: "1.0.0" });
    expect(await visit()).toMatch(/Greeting: hello[\s\S]*Visits: 2/);
    expect((await apps.owner.call(`POST /api/apps/${id}/rollback`)).body.code).toBe("app_no_way_back");
    expect((await update()).event).toBe("done");
    expect(await visit()).toMatch(/Greeting: second-hello[\s\S]*Visits: 3/);
    const { last } = await apps.owner.ok(`GET /api/apps/${id}/updates`);
    process.stdout.write(`update: away for ${last.down_ms} ms\n`);
    const removal = await apps.owner.ok(`DELETE /api/apps/${id}?delete_data=true`);
    await apps.follow(removal.op_id);
    expect(await leftovers(id)).toEqual({ containers: 0, volumes: 0, networks: 0 });
  });
});
