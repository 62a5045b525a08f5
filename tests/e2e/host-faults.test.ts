import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE_BINARY } from "../kit/binary.ts";
import { createClient, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { claimInstalled, expectUndone, type InstalledNode } from "../kit/installed-node.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

const UPGRADE_UNIT = "orrery-node-upgrade.service";

suite("a node that fails on its host", ["docker", "systemd_image"], () => {
  let host: SystemdHost;
  let work: string;
  let node: InstalledNode;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-faults-"));
    host = await startSystemdHost();
    host.copyIn(NODE_BINARY, "/root/orrery-node");
    await host.ok("/root/orrery-node", "install");
    node = await claimInstalled(host, work);
  });
  afterAll(async () => {
    await host?.remove();
    rmSync(work, { recursive: true, force: true });
  });

  test("an upgrade to a release that crashes is undone", async () => {
    await expectUndone(host, join(work, "crashes"), "9.0.0", "crashes");
  });

  test("the upgrade itself is killed while the bad release is on trial", async () => {
    await node.beginUpgrade("spoils");
    await until(() => node.journal()?.includes('"trial"'), { timeoutMs: 60_000, everyMs: 100, what: "the trial" });
    await host.ok("systemctl", "kill", "--signal=SIGKILL", UPGRADE_UNIT);
    await node.expectOldRelease();
  });

  test("a release that answers and dies later is undone", async () => {
    await host.ok("cp", "/root/orrery-node", "/opt/works");
    await node.beginUpgrade("dies later");
    await until(() => node.journal() !== null, { what: "the upgrade to begin" });
    await node.expectOldRelease();
  });

  test("a node that stands still is restarted by its watchdog", async () => {
    const show = async (property: string) =>
      (await host.ok("systemctl", "show", `--property=${property}`, "--value", "orrery-node")).trim();
    const pidOf = () => show("MainPID");
    expect(await show("WatchdogUSec")).toBe("30s");
    // Any period will do, because the service takes it from systemd; an owner would shorten it in the same way.
    const dropIn = "/etc/systemd/system/orrery-node.service.d";
    await host.ok("sh", "-c", `mkdir -p ${dropIn} && printf '[Service]\\nWatchdogSec=5\\n' >${dropIn}/watchdog.conf`);
    await host.ok("systemctl", "daemon-reload");
    await host.ok("systemctl", "restart", "orrery-node");
    // Longer than a period: it is fed in time.
    const fed = await pidOf();
    await Bun.sleep(6_000);
    expect(await pidOf()).toBe(fed);
    const frozen = await pidOf();
    await host.ok("kill", "-STOP", frozen);
    const isNew = async () => (await pidOf()) !== frozen && (await signIn(host.url));
    await until(isNew, { timeoutMs: 90_000, everyMs: 500, what: "the watchdog" });
  });

  test("a new password on the host works while the service runs", async () => {
    const text = await host.ok("orrery-node", "reset-password", "--username", "owner");
    const password = /New password: (\S+)/.exec(text)?.[1] ?? "";
    await createClient(host.url).ok("POST /api/auth/login", { username: "owner", password });
    expect((await host.run("orrery-node", "reset-password", "--username", "nobody")).code).toBe(1);
  });
});
