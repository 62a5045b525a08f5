import { expect, test } from "bun:test";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { createClient } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { createPostgresDatabase } from "../kit/postgres.ts";
import { makeScratch } from "../kit/scratch.ts";
import { onEachEngine } from "../kit/sql-databases.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery" };

onEachEngine("the compiled panel", (engine) => {
  test("registers, signs in, moves between workspaces, and keeps what it acknowledged through a kill", async () => {
    const env: Record<string, string> = engine === "sqlite" ? {} : { CP_DATABASE_URL: await createPostgresDatabase() };
    let panel: NodeProcess = await startNode({ binary: PANEL_BINARY, env });
    try {
      expect(panel.log.find(({ msg }) => msg === "listening")).toMatchObject({ database: engine });
      await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
      const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
      const made = await createClient(panel.url, token).ok("POST /api/workspaces", { name: "Second", mode: "family" });
      await panel.kill();

      panel = await startNode({ binary: PANEL_BINARY, env, dataDir: panel.dataDir });
      const ada = createClient(panel.url, made.token);
      expect((await ada.ok("GET /api/workspaces")).workspaces).toHaveLength(2);
      expect(await ada.ok("GET /api/v1/workspace/mode")).toEqual({ mode: "family", chosen: true });
      expect((await ada.call("POST /api/auth/refresh")).status).toBe(200);
      expect((await createClient(panel.url, token).call("POST /api/auth/refresh")).status).toBe(401);
      expect((await createClient(panel.url).call("GET /api/team/members")).status).toBe(401);
      // Over an older database all this would be somebody's who was signed out since: it ends while no panel runs.
      const end = async () => {
        const options = { env: { ...Bun.env, ...env }, stdout: "pipe", stderr: "pipe" } as const;
        const child = Bun.spawn([PANEL_BINARY, "after-restore", "--data", panel.dataDir], options);
        const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
        return `${await child.exited} ${said.join("")}`;
      };
      expect(await end()).toMatch(/^1 .*the panel runs, and may not meanwhile: stop it first/s);
      expect((await ada.call("GET /api/workspaces")).status).toBe(200);
      expect(await panel.stop()).toBe(0);
      expect(await end()).toMatch(/^0 Ended: \d+ sessions?\. Everybody signs in anew\./);
      panel = await startNode({ binary: PANEL_BINARY, env, dataDir: panel.dataDir });
      expect((await createClient(panel.url, made.token).call("GET /api/workspaces")).status).toBe(401);
      expect((await createClient(panel.url).call("POST /api/auth/login", ADA)).status).toBe(200);
      expect(await panel.stop()).toBe(0);
    } finally {
      await panel.dispose();
    }
  });
});

suite("two panels on one database", ["postgres"], () => {
  test("the second is refused and says why, until the first has stopped or is dead", async () => {
    const env = { CP_DATABASE_URL: await createPostgresDatabase() };
    const start = (dataDir?: string) => startNode({ binary: PANEL_BINARY, env, ...(dataDir ? { dataDir } : {}) });
    const first = await start();
    const second = makeScratch("second-panel");
    let heir: NodeProcess | null = null;
    try {
      // With the same key, as whoever copies the folder has it.
      copyFileSync(join(first.dataDir, "panel.key"), join(second, "panel.key"));
      expect(String(await start(second).catch(String))).toContain("another panel uses this database");
      expect(String(await start(first.dataDir).catch(String))).toContain("another process is using");
      expect((await createClient(first.url).call("GET /api/health")).status).toBe(200);
      await first.kill();
      heir = await start(second);
      expect(await heir.stop()).toBe(0);
      heir = await start(second);
      expect(heir.log.some(({ msg }) => String(msg).includes("waiting"))).toBe(false);
    } finally {
      await heir?.dispose();
      await first.dispose();
      rmSync(second, { recursive: true, force: true });
    }
  });
});

test("the compiled panel prints its version, routes and configuration without secrets", () => {
  const run = (...argv: string[]) => {
    const env = { CP_DATABASE_URL: "postgres://panel:hunter2@db/panel" };
    const { exitCode, stdout } = Bun.spawnSync([PANEL_BINARY, ...argv], { cwd: "/", env });
    expect(exitCode).toBe(0);
    return stdout.toString();
  };
  expect(run("version")).toMatch(/^\d+\.\d+\.\d+/);
  expect(run("routes")).toContain("PUT    /api/v1/workspace/settings  settings:write own-role");
  const config = run("config");
  expect(config).toContain("CP_DATABASE_URL");
  expect(config).not.toContain("hunter2");
});
