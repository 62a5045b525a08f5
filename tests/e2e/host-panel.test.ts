import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "../kit/client.ts";
import { ROOT, suite } from "../kit/env.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

const DATA = "/var/lib/orrery-panel";
const PERSON = { email: "ada@example.org", password: "correct horse battery staple" };

suite("a panel on a bare host", ["docker", "systemd_image", "openssl"], () => {
  let host: SystemdHost;
  const answers = () =>
    createClient(host.url)
      .call("GET /api/health")
      .then((reply) => reply.status === 200);
  const install = (...options: string[]) =>
    host.run(
      "env",
      "ORRERY_PROGRAM=orrery-panel",
      ...["sh", "/root/release/install.sh", "--file", "/root/release/orrery-panel", ...options],
    );
  const logIn = () => createClient(host.url).call("POST /api/auth/login", PERSON);

  beforeAll(async () => {
    host = await startSystemdHost(8430);
    await host.ok("mkdir", "/root/release");
    for (const name of ["orrery-panel", "orrery-node", "SHA256SUMS", "SHA256SUMS.sig", "install.sh"])
      await host.copyIn(join(ROOT, "dist", name), `/root/release/${name}`);
  });
  afterAll(async () => void (await host?.remove()));

  test("install.sh makes it a running service that anybody can register with", async () => {
    const { code, text } = await install();
    expect(text).toContain("Verified orrery-panel");
    expect(text).toContain(":8430");
    expect(code).toBe(0);
    expect((await host.ok("systemctl", "is-active", "orrery-panel")).trim()).toBe("active");
    expect(await host.ok("orrery-panel", "config")).toContain(`data_dir = "${DATA}"`);
    const registered = await createClient(host.url).call("POST /api/auth/register", { ...PERSON, name: "Ada" });
    expect(registered.status).toBe(200);
    expect((await install()).text).toContain("nothing was changed");
  });

  test("it has no privilege but low ports, and sees nothing of the host", async () => {
    const pid = (await host.ok("systemctl", "show", "-p", "MainPID", "--value", "orrery-panel")).trim();
    const status = await host.ok("cat", `/proc/${pid}/status`);
    // Bit 10 is CAP_NET_BIND_SERVICE.
    expect(status).toMatch(/^CapBnd:\t0000000000000400$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    // An inaccessible file is an empty one.
    expect((await host.run("nsenter", "-t", pid, "-m", "cat", "/etc/shadow")).text).not.toContain("root:");
    expect(await host.ok("cat", "/etc/shadow")).toContain("root:");
  });

  test("it comes back after a kill with everything it knew", async () => {
    await host.ok("systemctl", "kill", "-s", "SIGKILL", "orrery-panel");
    await until(answers, { timeoutMs: 20_000, everyMs: 200, what: "the panel after a kill" });
    expect((await logIn()).status).toBe(200);
  });

  test("a server on the same host joins by the printed line, and comes back after both were killed", async () => {
    const installed = await host.run("sh", "/root/release/install.sh", "--file", "/root/release/orrery-node");
    expect(installed).toMatchObject({ code: 0 });
    const { token } = await createClient(host.url).ok("POST /api/auth/login", PERSON);
    const ada = createClient(host.url, token);
    const { command } = await ada.ok("POST /api/onboarding/enroll-token");
    const joined = await host.run(...command.split(" "));
    expect(joined.text).toContain("its first heartbeat has been answered");
    expect(joined.code).toBe(0);
    const [node] = await ada.ok("GET /api/fleet/instances");
    expect(node).toMatchObject({ hostname: "bare-host" });
    await host.ok("systemctl", "kill", "-s", "SIGKILL", "orrery-panel", "orrery-node");
    await until(answers, { timeoutMs: 20_000, everyMs: 200, what: "the panel after a kill" });
    const before = node.last_heartbeat;
    const isBack = async () => (await ada.ok("GET /api/fleet/instances"))[0].last_heartbeat > before;
    await until(isBack, { timeoutMs: 30_000, everyMs: 300, what: "the node's next heartbeat" });
    await host.ok("orrery-node", "uninstall", "--delete-data");
  }, 60_000);

  test("the doctor finds nothing that fails", async () => {
    const { healthy, findings } = JSON.parse(await host.ok("orrery-panel", "doctor", "--json"));
    expect(findings.filter(({ status }: { status: string }) => status === "fail")).toEqual([]);
    expect(healthy).toBe(true);
  });

  test("uninstall takes the program away and leaves the data; a new install finds it", async () => {
    await host.ok("orrery-panel", "uninstall");
    expect((await host.run("test", "-e", "/opt/orrery")).code).toBe(1);
    expect((await host.run("test", "-f", `${DATA}/panel.db`)).code).toBe(0);
    expect((await install()).code).toBe(0);
    expect((await logIn()).status).toBe(200);
  });
});
