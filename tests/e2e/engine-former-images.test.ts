import { afterAll, beforeAll, expect, test } from "bun:test";
import { toIso } from "../../src/lib/clock.ts";
import { findApp } from "../../src/node/apps/apps/store.ts";
import { writeKept } from "../../src/node/apps/apps/update/update-store.ts";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";

suite("images of versions that are no longer kept", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let id: string;
  const { web, crash } = testEnv().images;
  beforeAll(async () => {
    engine = await startOwnEngine(96);
    node = await startEngineNode({ socket: engine.socket });
    id = (await node.install("test-web")).id;
    await node.untilStatus(id, "running", 60_000);
  });
  afterAll(async () => {
    await node.remove(id);
    await node.stop();
    wipe(node.dataDir);
    await engine.dispose();
  });

  const isHere = (reference: string) =>
    engine.docker("image", "inspect", reference).then(
      () => true,
      () => false,
    );

  /** Keeps a version made of that image whose time is over, and lets the job run. */
  async function sweep(image: string): Promise<void> {
    const { db, clock, parts } = node.ctx;
    const app = findApp(db, id);
    if (!app) throw new Error("no app");
    const { version, config, manifest } = app;
    const compose = app.compose.replace(/image: .*/, `image: ${image}`);
    const side = { version, config, manifest, compose, generation: 7, ports: [] };
    writeKept(db, { app_id: id, generation: 7, side, can_return: true, kept_until: toIso(clock.now()) });
    await parts
      .flatMap(({ jobs }) => jobs ?? [])
      .find(({ name }) => name === "apps.sweep_kept")
      ?.run(new AbortController().signal);
    const left = db.raw.query("SELECT count(*) AS rows FROM app_kept").get();
    expect(left).toEqual({ rows: 0 });
  }

  test("one that only that version used goes with it", async () => {
    await engine.docker("pull", crash);
    await sweep(crash);
    expect(await isHere(crash)).toBe(false);
  });

  test("one stays that has another name, that a stopped container is made of, or that an app runs on", async () => {
    // What a try that failed may have left.
    await engine.docker("rm", "--force", "theirs").catch(() => "it is not there");
    await engine.docker("pull", crash);
    await engine.docker("tag", crash, "mine:1");
    await sweep(crash);
    expect(await isHere("mine:1")).toBe(true);
    expect(await isHere(crash)).toBe(true);
    await engine.docker("rmi", "mine:1");
    await engine.docker("create", "--name", "theirs", crash);
    await sweep(crash);
    expect(await isHere(crash)).toBe(true);
    await engine.docker("rm", "theirs");
    await sweep(web);
    expect(await isHere(web)).toBe(true);
    await sweep(crash);
    expect(await isHere(crash)).toBe(false);
  });
});
