import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Action } from "../../src/kernel/service/actions.ts";
import { NODE_BINARY } from "../kit/binary.ts";
import { signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { claimInstalled, type InstalledNode } from "../kit/installed-node.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

/** What systemd and its journal write by themselves whatever is installed. */
const NOT_OURS = /^\/(var\/(tmp|log(?!\/orrery))|run|tmp|sys|dev|proc)\/|^\/var\/lib\/systemd\//;

suite("a host that loses power", ["docker", "systemd_image"], () => {
  let host: SystemdHost;
  let work: string;
  let node: InstalledNode;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-power-"));
    host = await startSystemdHost();
    host.copyIn(NODE_BINARY, "/root/orrery-node");
  });
  afterAll(async () => {
    await host?.remove();
    rmSync(work, { recursive: true, force: true });
  });

  test("the plan of a dry run is what the install then really does", async () => {
    const { plan }: { plan: Action[] } = JSON.parse(
      await host.ok("/root/orrery-node", "install", "--dry-run", "--json"),
    );
    const before = new Set(await host.changes());
    await host.ok("/root/orrery-node", "install");
    const made = (await host.changes()).filter((path) => !before.has(path) && !NOT_OURS.test(path));
    const named = plan.flatMap((action) => ("path" in action ? [action.path] : []));
    const touched = plan.flatMap((action) => (action.kind === "run" ? action.touches : []));
    const isCovered = (path: string) =>
      [...named, ...touched].some((item) => item === path || (item.endsWith("/") && path.startsWith(item)));
    const isParent = (path: string) => made.some((other) => other.startsWith(`${path}/`));
    expect(made.filter((path) => !isCovered(path) && !isParent(path))).toEqual([]);
    expect(named.filter((path) => !made.includes(path))).toEqual([]);

    node = await claimInstalled(host, work);
  });

  test("the service comes back after a power cut", async () => {
    await host.cutPower();
    await until(() => signIn(host.url), { timeoutMs: 60_000, everyMs: 200, what: "the service after a power cut" });
  });

  test.each([200, 1_500, 7_000])("power cut %d ms into an upgrade to a release that spoils the data", async (ms) => {
    await node.beginUpgrade("spoils");
    await Bun.sleep(ms);
    await host.cutPower();
    await node.expectOldRelease(ms < 1_000);
  });
});
