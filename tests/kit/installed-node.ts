import { expect } from "bun:test";
import { join } from "node:path";
import { type Fault, writeBrokenRelease } from "./broken-release.ts";
import { createClient, setUp, signIn } from "./client.ts";
import type { SystemdHost } from "./systemd-host.ts";
import { until } from "./until.ts";

const DATA = "/var/lib/orrery-node";

/** A node that is installed on a host and has its owner, and upgrades of it that go wrong. */
export interface InstalledNode {
  version: string;
  /** What says how far an upgrade is; not there while there is none. */
  journal(): string | null;
  /** Begins one to a release 9.0.0 with that fault, and does not stay for its end. */
  beginUpgrade(fault: Fault): Promise<void>;
  /** Waits for the end of the upgrade and checks that the old release is back with its accounts. */
  expectOldRelease(mayKeepCopy?: boolean): Promise<void>;
}

/** Makes the owner of a node that was just installed. `work` is a folder of this machine for its releases. */
export async function claimInstalled(host: SystemdHost, work: string): Promise<InstalledNode> {
  const version = (await host.ok("orrery-node", "version")).trim();
  const journal = () => host.peek(`${DATA}/upgrade/journal.json`);
  await setUp(host.url, host.peek(`${DATA}/claim-token`)?.trim());
  return {
    version,
    journal,
    async beginUpgrade(fault) {
      const folder = join(work, fault.replace(" ", "-"));
      await writeBrokenRelease(folder, "9.0.0", fault);
      await host.run("rm", "-rf", "/root/next");
      host.copyIn(folder, "/root/next");
      // The terminal that began it is gone at once: the upgrade has to stand on its own.
      const upgrade = ["orrery-node", "upgrade", "--file", "/root/next/orrery-node"];
      await host.ok("systemd-run", "--quiet", "--no-block", ...upgrade);
    },
    async expectOldRelease(mayKeepCopy = false) {
      await until(() => journal() === null, { timeoutMs: 150_000, everyMs: 300, what: "the upgrade to end" });
      await signIn(host.url);
      const facts = await createClient(host.url).ok("GET /api/auth/lock-info");
      expect(facts.version).toBe(version);
      const kept = (await host.ok("ls", "/opt/orrery/releases")).trim().split("\n");
      // A copy that nothing points to and no journal names is taken away by the next upgrade; the later tests see it gone.
      expect(mayKeepCopy ? kept.filter((release) => release !== "9.0.0") : kept).toEqual([version]);
    },
  };
}

/** Upgrades to a release with a fault, and checks that the one that ran goes on, with its accounts. */
export async function expectUndone(host: SystemdHost, folder: string, version: string, fault: Fault): Promise<void> {
  const to = `/root/${fault}`;
  await writeBrokenRelease(folder, version, fault);
  await host.run("rm", "-rf", to);
  host.copyIn(folder, to);
  const { code, text } = await host.run("orrery-node", "upgrade", "--file", `${to}/orrery-node`);
  expect(text).toContain(`${version} was not kept`);
  expect(code).toBe(1);
  expect((await host.ok("orrery-node", "version")).trim()).not.toBe(version);
  expect((await createClient(host.url).call("GET /api/auth/me")).status).toBe(401);
  await signIn(host.url);
}
