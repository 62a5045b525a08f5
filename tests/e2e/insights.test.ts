import { afterAll, beforeAll, expect, test } from "bun:test";
import { toIso } from "../../src/lib/clock.ts";
import { days } from "../../src/lib/duration.ts";
import { docker } from "../kit/docker.ts";
import { type EngineNode, startEngineNode, wipe, writeVariant } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { until } from "../kit/until.ts";

suite("the health of apps on a real engine", ["docker", "registry", "images"], () => {
  let node: EngineNode;
  beforeAll(async () => {
    node = await startEngineNode();
  });
  afterAll(async () => {
    for (const app of (await node.call("GET /api/apps")).body) await node.remove(app.id);
    await node.stop();
    wipe(node.dataDir);
  });

  test("a container that dies and one that Docker starts again are counted, one that is stopped is not", async () => {
    // Dies once for each time that it is told to.
    const mortal =
      "trap 'exit 0' TERM; sh /app/web.sh & while [ ! -e /data/die ]; do sleep 0.1; done; rm /data/die; exit 3";
    const command = `    command: ${JSON.stringify(["sh", "-c", mortal])}\n    restart:`;
    writeVariant(node.dataDir, "test-web", "test-mortal", (text) => text.replace("    restart:", command));
    const [{ id }, other] = [await node.install("test-mortal"), await node.install("test-web")];
    const app = await node.untilStatus(id, "running", 30_000);
    const killed = await node.untilStatus(other.id, "running", 30_000);
    const container = `orrery-${app.name}-web`;
    const ends = () => node.eventsOf("app.service_ended");

    await docker("exec", container, "touch", "/data/die");
    await until(async () => (await ends()).length === 1, { what: "the crash to be told" });
    expect(await ends()).toMatchObject([{ app_id: id, service: "web", exit_code: 3, restarts: 1, is_oom: false }]);
    await docker("kill", `orrery-${killed.name}-web`);
    await until(async () => (await ends()).length === 2, { what: "the kill to be told" });
    await node.untilStatus(id, "running", 30_000);
    await node.call(`POST /api/apps/${id}/stop`);
    await node.untilStatus(id, "stopped", 30_000);
    expect(await ends()).toHaveLength(2);

    const { db, clock } = node.ctx;
    const long = clock.now() - days(3);
    db.raw.query("UPDATE apps SET installed_at = ?").run(toIso(long));
    db.raw.query("INSERT OR REPLACE INTO app_ends_since (id, at) VALUES (1, ?)").run(long);
    await node.ctx.jobs.run("insights.score");
    const { predictions } = (await node.call("GET /api/insights/predictions?predictor=app_health&min_risk=high")).body;
    expect(predictions).toMatchObject([
      { app_name: app.name, crashes_24h: 1, restarts_24h: 1, oom_kills_24h: 0, risk_level: "high" },
      { app_name: killed.name, crashes_24h: 1, restarts_24h: 0, risk_level: "high" },
    ]);
  });
});
