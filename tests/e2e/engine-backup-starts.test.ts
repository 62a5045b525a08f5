import { afterAll, beforeAll, expect, test } from "bun:test";
import { startAppsNode } from "../kit/apps.ts";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { leftOf, untilState } from "../kit/engine-watch.ts";
import { suite } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";
import { until } from "../kit/until.ts";

suite("apps that are started from backups, and what is cut off", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  beforeAll(async () => {
    engine = await startOwnEngine(900);
  });
  afterAll(() => engine?.dispose(), 60_000);

  test("the drill starts a copy from the backup, apart from everything, asks whether it works, and leaves nothing", async () => {
    const node: EngineNode = await startEngineNode({ socket: engine.socket });
    const untilOver = (opId: string) => node.untilOver(opId);
    const { id, container } = await node.run("test-web");
    const shell = (script: string) => engine.docker("exec", "-u", "0", container, "sh", "-c", script);
    const place = { type: "local", name: "disk", path: makeScratch("backups") };
    const target = (await node.call("POST /api/backup/targets", place)).body.id;
    await shell("cd /data && printf 'as it was' >then");
    const { id: backup, op_id } = (await node.call("POST /api/backups", { target, apps: [id], include_config: false }))
      .body;
    expect(await untilOver(op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    await shell("cd /data && printf 'as it is' >then");
    const tested = async () =>
      (await node.call("GET /api/backup/start-tests")).body.find(({ app }: { app: string }) => app === id);
    expect(await tested()).toMatchObject({ outcome: null, answered_at: null });
    const startedAt = await engine.docker("inspect", "-f", "{{.State.StartedAt}}", container);

    const drill = (await node.call(`POST /api/backups/${backup}/verify`)).body;
    const [, stem = ""] = /^orrery-(.+)-web$/.exec(container) ?? [];
    const copy = `orrery-${stem}.rehearsal-web`;
    await untilState(engine, copy, "running");
    expect(await engine.docker("exec", copy, "cat", "/data/then")).toBe("as it was");
    const [seen] = JSON.parse(await engine.docker("inspect", copy));
    expect(seen.NetworkSettings.Ports["8080/tcp"] ?? null).toBe(null);
    expect(seen.HostConfig).toMatchObject({
      RestartPolicy: { Name: "no" },
      Memory: 64 * 1_048_576,
      Dns: ["127.0.0.1"],
    });
    const bridge = (
      await engine.docker("inspect", "-f", "{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}", container)
    ).trim();
    const networks = Object.keys(seen.NetworkSettings.Networks);
    expect(networks).toEqual([`orrery-${stem}.rehearsal`]);
    expect(await engine.docker("network", "inspect", "-f", "{{.Internal}}", ...networks)).toBe("true");
    // The app reaches what listens on an address of the server, and its copy does not.
    const server = Bun.serve({ hostname: "0.0.0.0", port: 0, fetch: () => new Response("here") });
    const reach = (from: string) =>
      engine
        .docker("exec", from, "timeout", "3", "wget", "-q", "-O", "-", `http://${bridge}:${server.port}/`)
        .catch(() => "nobody");
    const reached = await Promise.all([reach(container), reach(copy)]);
    await server.stop(true);
    expect(reached).toEqual(["here", "nobody"]);
    expect(await untilOver(drill.op_id)).toBe("done");
    const { outcome, answered_at, cause, backup_id } = await tested();
    expect([outcome, cause, backup_id, typeof answered_at]).toEqual(["answered", null, backup, "string"]);
    expect(await leftOf(engine, "rehearsal")).toEqual([]);
    expect(await shell("cat /data/then")).toBe("as it is");
    expect(await engine.docker("inspect", "-f", "{{.State.StartedAt}}", container)).toBe(startedAt);

    // One that starts and does not answer as it should is told of, and the app itself goes on.
    const swap = (from: string, to: string) =>
      node.ctx.db.raw.query("UPDATE apps SET manifest = replace(manifest, ?, ?) WHERE id = ?").run(from, to, id);
    swap('"expect":200,"start_s":30', '"expect":418,"start_s":2');
    const again = (await node.call(`POST /api/backup/start-tests/${id}`)).body;
    expect(await untilOver(again.op_id)).toContain("200 instead of 418");
    swap('"expect":418,"start_s":2', '"expect":200,"start_s":30');
    expect(await tested()).toMatchObject({ outcome: "failed", answered_at });
    expect(await leftOf(engine, "rehearsal")).toEqual([]);
    expect((await node.call(`GET /api/apps/${id}`)).body.status).toBe("running");

    await node.remove(id);
    await node.stop();
    wipe(node.dataDir);
  });

  test("kill -9 while a folder takes the place of another, and while a copy runs: whole or not at all, and nothing stays", async () => {
    const apps = await startAppsNode({ ORRERY_DOCKER_SOCKET: engine.socket });
    try {
      const name = apps.freshName("kept");
      const { id: app } = await apps.installed("test-web", name);
      await apps.reaches(app, "running");
      const path = makeScratch("backups");
      const disk = await apps.owner.ok("POST /api/backup/targets", { type: "local", name: "disk", path });
      const web = `orrery-${name}-web`;
      // A folder that takes the place of another one comes whole or not at all.
      await apps.owner.ok(`PUT /api/backup/policies/${app}`, { mode: "pause" });
      const fill = (word: string) =>
        `mkdir -p /data/many && for at in $(seq 400); do head -c 20000 /dev/urandom >/data/many/$at && echo ${word} >/data/many/$at.word; done`;
      await engine.docker("exec", "-u", "0", web, "sh", "-c", fill("then"));
      const then = await apps.owner.ok("POST /api/backups", { target: disk.id, apps: [app], include_config: false });
      expect((await apps.follow(then.op_id)).at(-1)?.event).toBe("done");
      await engine.docker("exec", "-u", "0", web, "sh", "-c", fill("now"));
      const looked = await apps.owner.ok(`POST /api/backups/${then.id}/browse`);
      expect((await apps.follow(looked.op_id)).at(-1)?.event).toBe("done");
      const [{ volume }] = await apps.owner.ok(`GET /api/backups/${then.id}/volumes`);
      const wish = { app, volume, path: "many", mode: "over", dry_run: false };
      // What was looked into is closed a moment after its operation is told as done.
      await until(async () => (await apps.owner.call(`POST /api/backups/${then.id}/put-back`, wish)).status === 200, {
        what: "the files to be put back",
      });
      await untilState(engine, web, "exited");
      await untilState(engine, `orrery-${name}-backup`, "created");
      await apps.crash();
      await untilState(engine, web, "running");
      await apps.reaches(app, "running");
      expect((await engine.docker("exec", web, "sh", "-c", "cat /data/many/*.word | sort | uniq -c")).trim()).toMatch(
        /^400 (then|now)$/,
      );
      // The same in the middle of a copy that was started from a backup: nothing of it stays.
      const again = { target: disk.id, apps: [app], include_config: false };
      const { op_id } = await until(
        async () => {
          const { status, body } = await apps.owner.call("POST /api/backups", again);
          return status === 200 && body;
        },
        { what: "the end of what was cut off" },
      );
      expect((await apps.follow(op_id)).at(-1)?.event).toBe("done");
      await apps.owner.ok(`POST /api/backup/start-tests/${app}`);
      await untilState(engine, `orrery-${name}.rehearsal-web`, "running");
      await apps.crash();
      await until(async () => (await leftOf(engine, "rehearsal")).length === 0 || null, {
        timeoutMs: 30_000,
        what: "no copy",
      });
      await apps.reaches(app, "running");
    } finally {
      await apps.dispose();
    }
  });
});
