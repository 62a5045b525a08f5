import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSigningKey, signSums } from "../../src/build/sign.ts";
import { NODE_BINARY } from "../kit/binary.ts";
import { createClient } from "../kit/client.ts";
import { ROOT, suite } from "../kit/env.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

const BASE = "http://127.0.0.1:8000";
const ADA = { email: "ada@example.org", password: "correct horse battery staple" };

/** In place of the package manager of a host without a network: writes down what it was asked for, and brings back what was taken away. */
const APT = `#!/bin/sh
echo "$*" >>/root/apt
[ "$1" != install ] || mv /root/curl /usr/bin/curl
`;

suite("a server that has nothing of Orrery", ["docker", "systemd_image", "openssl"], () => {
  let host: SystemdHost;
  let work: string;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-enrol-"));
    host = await startSystemdHost(8430);
    const version = Bun.spawnSync([NODE_BINARY, "version"]).stdout.toString().trim();
    const files = ["linux-x64", "linux-x64-baseline"].map((target) => {
      const path = join(work, `orrery-node-${target}`);
      copyFileSync(NODE_BINARY, path);
      return { path, program: "orrery-node", version, target };
    });
    await signSums(
      work,
      files,
      openSigningKey(process.env["ORRERY_SIGNING_KEY"], join(ROOT, ".data"), () => {}),
    );
    copyFileSync(join(ROOT, "dist/install.sh"), join(work, "install.sh"));
    host.copyIn(work, "/root/releases");
    await host.ok("mkdir", "/root/panel");
    for (const name of ["orrery-panel", "SHA256SUMS", "SHA256SUMS.sig", "install.sh"])
      host.copyIn(join(ROOT, "dist", name), `/root/panel/${name}`);
    host.copyIn(Bun.which("busybox") ?? "/bin/busybox", "/root/busybox");
    await host.ok("/root/busybox", "httpd", "-p", "127.0.0.1:8000", "-h", "/root/releases");
    await host.ok(
      ...["env", "ORRERY_PROGRAM=orrery-panel", `ORRERY_RELEASE_BASE=${BASE}`],
      ...["sh", "/root/panel/install.sh", "--file", "/root/panel/orrery-panel"],
    );
  });
  afterAll(async () => {
    await host?.remove();
    rmSync(work, { recursive: true, force: true });
  });

  test("one line installs it and connects it, and fetches the tools that it lacks", async () => {
    await createClient(host.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    const { token } = await createClient(host.url).ok("POST /api/auth/login", ADA);
    const ada = createClient(host.url, token);
    const { install_command: line } = await ada.ok("POST /api/onboarding/enroll-token");
    expect((await host.run("test", "-e", "/usr/local/bin/orrery-node")).code).toBe(1);
    await host.ok("mv", "/usr/bin/curl", "/root/curl");
    await host.ok("sh", "-c", `printf '%s' '${APT}' >/usr/local/sbin/apt-get && chmod 755 /usr/local/sbin/apt-get`);
    const { code, text } = await host.run("sh", "-c", line);
    expect(text).toContain("Verified orrery-node");
    expect(text).toContain("its first heartbeat has been answered");
    expect(code).toBe(0);
    expect(await host.ok("cat", "/root/apt")).toBe("update\ninstall -y ca-certificates curl openssl\n");
    expect((await host.ok("systemctl", "is-active", "orrery-node")).trim()).toBe("active");
    // A machine on which all processors work is degraded.
    const isThere = async () => ["online", "degraded"].includes((await ada.ok("GET /api/fleet/instances"))[0]?.status);
    await until(isThere, { timeoutMs: 60_000, everyMs: 300, what: "the node in the fleet" });
    expect(await ada.ok("GET /api/onboarding/enrolment")).toMatchObject({ nodes: { used: 1, limit: 25 } });
  });

  test("a release that does not come leaves everything as it is", async () => {
    const { token } = await createClient(host.url).ok("POST /api/auth/login", ADA);
    const { install_command: line } = await createClient(host.url, token).ok("POST /api/onboarding/enroll-token");
    const { code, text } = await host.run("sh", "-c", line.replaceAll(BASE, `${BASE}/nowhere`));
    expect(text).toContain("404");
    expect(text).not.toContain("heartbeat");
    expect(code).not.toBe(0);
  });
});
