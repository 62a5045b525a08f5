import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Action } from "../../src/kernel/service/actions.ts";
import { NODE_BINARY } from "../kit/binary.ts";
import { type Fault, writeBrokenRelease } from "../kit/broken-release.ts";
import { createClient, setUp, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

const JOURNAL = "/var/lib/orrery-node/upgrade/journal.json";
const UPGRADE_UNIT = "orrery-node-upgrade.service";
/** What systemd and its journal write by themselves whatever is installed. */
const NOT_OURS = /^\/(var\/(tmp|log(?!\/orrery))|run|tmp|sys|dev|proc)\/|^\/var\/lib\/systemd\//;

suite("a host that loses power", ["docker", "systemd_image"], () => {
  let host: SystemdHost;
  let work: string;
  let version: string;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-power-"));
    host = await startSystemdHost();
    host.copyIn(NODE_BINARY, "/root/orrery-node");
  });
  afterAll(async () => {
    await host?.remove();
    rmSync(work, { recursive: true, force: true });
  });

  /** Waits for the end of the upgrade and checks that the old release is back with its accounts. */
  async function expectOldRelease(mayKeepCopy = false): Promise<void> {
    await until(() => host.peek(JOURNAL) === null, { timeoutMs: 150_000, everyMs: 300, what: "the upgrade to end" });
    await signIn(host.url);
    const facts = await createClient(host.url).ok("GET /api/auth/lock-info");
    expect(facts.version).toBe(version);
    const kept = (await host.ok("ls", "/opt/orrery/releases")).trim().split("\n");
    // A copy that nothing points to and no journal names is taken away by the next upgrade; the later tests see it gone.
    expect(mayKeepCopy ? kept.filter((release) => release !== "9.0.0") : kept).toEqual([version]);
  }

  async function beginUpgrade(fault: Fault): Promise<void> {
    const folder = join(work, fault.replace(" ", "-"));
    await writeBrokenRelease(folder, "9.0.0", fault);
    await host.run("rm", "-rf", "/root/next");
    host.copyIn(folder, "/root/next");
    // The terminal that began it is gone at once: the upgrade has to stand on its own.
    await host.ok("systemd-run", "--quiet", "--no-block", "orrery-node", "upgrade", "--file", "/root/next/orrery-node");
  }

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

    version = (await host.ok("orrery-node", "version")).trim();
    await setUp(host.url, (await host.ok("cat", "/var/lib/orrery-node/claim-token")).trim());
  });

  test("the service comes back after a power cut", async () => {
    await host.cutPower();
    await until(() => signIn(host.url), { timeoutMs: 60_000, everyMs: 200, what: "the service after a power cut" });
  });

  test.each([200, 1_500, 7_000])("power cut %d ms into an upgrade to a release that spoils the data", async (ms) => {
    await beginUpgrade("spoils");
    await Bun.sleep(ms);
    await host.cutPower();
    await expectOldRelease(ms < 1_000);
  });

  test("the upgrade itself is killed while the bad release is on trial", async () => {
    await beginUpgrade("spoils");
    await until(() => host.peek(JOURNAL)?.includes('"trial"'), { timeoutMs: 60_000, everyMs: 100, what: "the trial" });
    await host.ok("systemctl", "kill", "--signal=SIGKILL", UPGRADE_UNIT);
    await expectOldRelease();
  });

  test("a release that answers and dies later is undone", async () => {
    await host.ok("cp", "/root/orrery-node", "/opt/works");
    await beginUpgrade("dies later");
    await Bun.sleep(3_000);
    await expectOldRelease();
  });

  test("a node that stands still is restarted by its watchdog", async () => {
    const show = async (property: string) =>
      (await host.ok("systemctl", "show", `--property=${property}`, "--value", "orrery-node")).trim();
    const pidOf = () => show("MainPID");
    expect(await show("WatchdogUSec")).toBe("30s");
    // Any period will do, because the service takes it from systemd; an owner would shorten it in the same way.
    const dropIn = "/etc/systemd/system/orrery-node.service.d";
    await host.ok("sh", "-c", `mkdir ${dropIn} && printf '[Service]\\nWatchdogSec=5\\n' >${dropIn}/watchdog.conf`);
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
