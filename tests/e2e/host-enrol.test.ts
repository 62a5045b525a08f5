import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Client, createClient } from "../kit/client.ts";
import { ROOT, suite } from "../kit/env.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery staple" };

suite("a node and a panel as services of one host", ["docker", "systemd_image", "openssl"], () => {
  let host: SystemdHost;
  let ada: Client;
  const install = (program: string) =>
    host.ok(
      ...["env", `ORRERY_PROGRAM=${program}`, "sh", "/root/release/install.sh"],
      ...["--file", `/root/release/${program}`],
    );
  const instance = async () => (await ada.ok("GET /api/fleet/instances"))[0];

  beforeAll(async () => {
    host = await startSystemdHost(8430);
    await host.ok("mkdir", "/root/release");
    for (const name of ["orrery-node", "orrery-panel", "SHA256SUMS", "SHA256SUMS.sig", "install.sh"])
      await host.copyIn(join(ROOT, "dist", name), `/root/release/${name}`);
    await install("orrery-panel");
    await install("orrery-node");
    await createClient(host.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    const { token } = await createClient(host.url).ok("POST /api/auth/login", ADA);
    ada = createClient(host.url, token);
  });
  afterAll(async () => void (await host?.remove()));

  test("the printed line enrols the service as it stands, sandbox and all", async () => {
    const { command } = await ada.ok("POST /api/onboarding/enroll-token");
    const text = await host.ok(...command.split(" "));
    expect(text).toContain("its first heartbeat has been answered");
    expect(await instance()).toMatchObject({ hostname: "bare-host", ip_addresses: expect.any(Array) });
    const again = await host.run(...command.split(" "));
    expect(again.text).toContain("belongs to a panel already");
    // What the command line wrote beside the service is as closed as the rest.
    const open = await host.ok("find", "/var/lib/orrery-node", "-type", "f", "-perm", "/077", "-name", "main.db*");
    expect(open).toBe("");
  });

  test("killed, it is back by itself with the same certificate", async () => {
    const { id } = await instance();
    await host.ok("systemctl", "kill", "-s", "SIGKILL", "orrery-node");
    const since = Date.now();
    await until(async () => Date.parse((await instance()).last_heartbeat) > since, {
      timeoutMs: 20_000,
      everyMs: 200,
      what: "a heartbeat after the kill",
    });
    expect((await ada.ok("GET /api/fleet/instances")).map((node: { id: string }) => node.id)).toEqual([id]);
  });

  test("it leaves when told on the host", async () => {
    expect(await host.ok("orrery-node", "disconnect")).toContain("belongs to no panel any more");
    expect((await host.run("orrery-node", "disconnect")).code).toBe(1);
  });
});
