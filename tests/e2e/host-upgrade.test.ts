import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeBrokenRelease } from "../kit/broken-release.ts";
import { ROOT, suite } from "../kit/env.ts";
import { claimInstalled, expectUndone } from "../kit/installed-node.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";

/** Apart from the rest of the installer: an upgrade is watched for a minute and more, and other hosts use that time. */
suite("upgrades of an installed node", ["docker", "systemd_image", "openssl"], () => {
  let host: SystemdHost;
  let work: string;
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-upgrade-"));
    host = await startSystemdHost();
    await host.ok("mkdir", "/root/release");
    for (const name of ["orrery-node", "SHA256SUMS", "SHA256SUMS.sig", "install.sh"])
      host.copyIn(join(ROOT, "dist", name), `/root/release/${name}`);
    await host.ok("sh", "/root/release/install.sh", "--file", "/root/release/orrery-node");
    await claimInstalled(host, work);
  });
  afterAll(async () => {
    await host?.remove();
    rmSync(work, { recursive: true, force: true });
  });

  test("an upgrade to a release that hangs is undone", async () => {
    await expectUndone(host, join(work, "hangs"), "9.0.1", "hangs");
  });

  test("a release of the maker's that is older is taken only when that is meant, whoever hands it out", async () => {
    const version = (await host.ok("orrery-node", "version")).trim();
    await writeBrokenRelease(join(work, "old"), "0.0.1", "crashes");
    host.copyIn(join(work, "old"), "/root/old");
    const old = "/root/old/orrery-node";
    const again = await host.run("sh", "/root/release/install.sh", "--file", old);
    expect(again.text).toContain(`0.0.1 is older than ${version}, which is installed; nothing was changed`);
    expect(again.code).toBe(1);
    const upgrade = await host.run("orrery-node", "upgrade", "--file", old);
    expect(upgrade.text).toContain(`0.0.1 is older than ${version}, which runs`);
    expect(upgrade.code).toBe(1);
    const meant = await host.run("orrery-node", "upgrade", "--file", old, "--allow-older");
    expect(meant.text).toContain("0.0.1 was not kept");
    expect((await host.ok("orrery-node", "version")).trim()).toBe(version);
  });

  test("an upgrade that nobody signed is refused", async () => {
    await host.ok(
      "sh",
      "-c",
      "rm -rf /root/unsigned && cp -r /root/hangs /root/unsigned && echo '# more' >>/root/unsigned/SHA256SUMS",
    );
    const { code, text } = await host.run("orrery-node", "upgrade", "--file", "/root/unsigned/orrery-node");
    expect(text).toContain("signature");
    expect(code).toBe(1);
  });
});
