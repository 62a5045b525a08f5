import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../kit/client.ts";
import { ROOT, suite } from "../kit/env.ts";
import { writeCrashingRelease, writeNewerRelease } from "../kit/release-folder.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

const DATA = "/var/lib/orrery-panel";
const RELEASES = "http://127.0.0.1:8000";
const PERSON = { email: "ada@example.org", password: "correct horse battery staple" };

suite("a panel on a bare host", ["docker", "systemd_image", "openssl"], () => {
  let host: SystemdHost;
  let work: string;
  let newer: string;
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
  const asAda = async () => createClient(host.url, (await logIn()).body.token);
  /** Lets the panel ask its one node for something and waits for the outcome. */
  async function command(name: string, params: Record<string, unknown>) {
    const ada = await asAda();
    const [{ id: node }] = await ada.ok("GET /api/fleet/instances");
    const body = { instance_ids: [node], command: name, params };
    const { commands } = await ada.ok("POST /api/fleet/commands", body);
    const outcome = async () => {
      const row = await ada.ok(`GET /api/fleet/commands/${commands[0].id}`);
      return ["queued", "sent", "running"].includes(row.status) ? null : row;
    };
    return until(outcome, { timeoutMs: 90_000, everyMs: 300, what: "the outcome of the command" });
  }
  const installedNode = async () => (await host.ok("orrery-node", "version")).trim();

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-releases-"));
    host = await startSystemdHost(8430);
    await host.ok("mkdir", "/root/release");
    for (const name of ["orrery-panel", "orrery-node", "SHA256SUMS", "SHA256SUMS.sig", "install.sh"])
      host.copyIn(join(ROOT, "dist", name), `/root/release/${name}`);
    newer = await writeNewerRelease(work);
    await writeCrashingRelease(work, "9.0.0");
    host.copyIn(Bun.which("busybox") ?? "/bin/busybox", "/root/busybox");
    host.copyIn(work, "/root/releases");
    await host.ok("/root/busybox", "httpd", "-p", "127.0.0.1:8000", "-h", "/root/releases");
  });
  afterAll(async () => {
    await host?.remove();
    rmSync(work, { recursive: true, force: true });
  });

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

  test("it runs as a user of its own, which owns its data and nothing else", async () => {
    const owner = async () => (await host.ok("sh", "-c", `stat -c %U ${DATA} ${DATA}/*.db | sort -u`)).trim();
    const runsAs = async () => {
      const pid = (await host.ok("systemctl", "show", "-p", "MainPID", "--value", "orrery-panel")).trim();
      return (await host.ok("ps", "-o", "user:20=", "-p", pid)).trim();
    };
    expect([await runsAs(), await owner()]).toEqual(["orrery-panel", "orrery-panel"]);
    // By these marks a removal with all data knows that the user goes with it.
    expect((await host.ok("getent", "passwd", "orrery-panel")).split(":").slice(4, 6)).toEqual(["Orrery panel", DATA]);
    expect(
      await host.ok("find", "/etc", "/opt", "/usr", "/var", "-user", "orrery-panel", "-not", "-path", `${DATA}*`),
    ).toBe("");

    // A release from before, whose panel ran as root, as it was before an upgrade and as it comes back.
    const dropIn = "/etc/systemd/system/orrery-panel.service.d/root.conf";
    const asRoot = `mkdir -p ${dropIn.slice(0, dropIn.lastIndexOf("/"))} &&
      printf '[Service]\nUser=root\nGroup=root\nAmbientCapabilities=\n' >${dropIn}`;
    await host.ok("sh", "-c", `${asRoot} && systemctl daemon-reload && systemctl restart orrery-panel`);
    await until(answers, { timeoutMs: 60_000, everyMs: 200, what: "the panel as root" });
    expect([await runsAs(), await owner()]).toEqual(["root", "root"]);
    expect((await logIn()).status).toBe(200);
    await host.ok("sh", "-c", `rm -r ${dropIn.slice(0, dropIn.lastIndexOf("/"))} && systemctl daemon-reload`);
    await host.ok("systemctl", "restart", "orrery-panel");
    await until(answers, { timeoutMs: 60_000, everyMs: 200, what: "the panel as its user" });
    expect([await runsAs(), await owner()]).toEqual(["orrery-panel", "orrery-panel"]);
    expect((await logIn()).status).toBe(200);

    // What root's commands leave beside a stopped panel does not keep it from starting.
    await host.ok("systemctl", "stop", "orrery-panel");
    await host.ok("orrery-panel", "ca");
    await host.ok("systemctl", "start", "orrery-panel");
    await until(answers, { timeoutMs: 60_000, everyMs: 200, what: "the panel after a command of root's" });
    expect(await owner()).toBe("orrery-panel");
  });

  test("it comes back after a kill with everything it knew", async () => {
    await host.ok("systemctl", "kill", "-s", "SIGKILL", "orrery-panel");
    await until(answers, { timeoutMs: 60_000, everyMs: 200, what: "the panel after a kill" });
    expect((await logIn()).status).toBe(200);
  });

  test("a server on the same host joins by the printed line, and comes back after both were killed", async () => {
    const installed = await host.run(
      ...["env", `ORRERY_RELEASE_BASE=${RELEASES}`, "ORRERY_RELEASE_ALLOW_CIDRS=127.0.0.0/8"],
      ...["sh", "/root/release/install.sh", "--file", "/root/release/orrery-node"],
    );
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
    await until(answers, { timeoutMs: 60_000, everyMs: 200, what: "the panel after a kill" });
    const before = node.last_heartbeat;
    const isBack = async () => (await ada.ok("GET /api/fleet/instances"))[0].last_heartbeat > before;
    await until(isBack, { timeoutMs: 60_000, everyMs: 300, what: "the node's next heartbeat" });
  });

  test("the panel's command updates the node to a release of its base", async () => {
    const version = newer;
    const { findings } = JSON.parse((await host.run("orrery-node", "doctor", "--json")).text);
    expect(findings).toContainEqual(expect.objectContaining({ id: "requests", detail: `come from ${RELEASES}` }));

    const outcome = await command("update.apply", { version });
    expect(outcome).toMatchObject({ status: "succeeded", output: `${version} is running.`, error: null });
    expect(await installedNode()).toBe(version);
    const ada = await asAda();
    const isTold = async () => (await ada.ok("GET /api/fleet/instances"))[0].version === version;
    await until(isTold, { timeoutMs: 60_000, everyMs: 200, what: "the new version in the fleet" });
    expect(await host.ok("ls", "-A", "/var/lib/orrery-node/update")).toBe("");
  });

  test("a release that does not start is rolled back, and the command says why", async () => {
    const version = await installedNode();
    const outcome = await command("update.apply", { version: "9.0.0" });
    expect(outcome).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^9\.0\.0 was not kept: the service failed .* is running again, with its data\.$/),
    });
    expect(await installedNode()).toBe(version);
  });

  test("a changed release is refused before anything is touched, also when the service itself was made to ask", async () => {
    const show = async () => host.ok("systemctl", "show", "-p", "MainPID", "--value", "orrery-node");
    const pid = await show();
    const changes = "cd /root/releases && echo x >>9.0.0/orrery-node-linux-x64 && rm -rf 9.0.1 && cp -r 9.0.0 9.0.1";
    await host.ok("sh", "-c", changes);
    const renamed = await command("update.apply", { version: "9.0.1" });
    expect(renamed).toMatchObject({
      status: "refused",
      error: expect.stringContaining("holds release 9.0.0, not 9.0.1"),
    });
    const outcome = await command("update.apply", { version: "9.0.0" });
    expect(outcome).toMatchObject({ status: "refused", error: expect.stringContaining("SHA-256 differs") });
    // Whoever has the service in hand cannot have its own program installed, nor write what the upgrade unit believes.
    const inService = ["nsenter", "-t", pid.trim(), "-m", "sh", "-c"];
    const put = `mkdir -p release && cp /root/releases/9.0.1/* release/ && mv release/orrery-node-linux-x64 release/orrery-node &&
      echo '{"id":"mine","version":"9.0.1"}' >new && mv new request.json`;
    await host.ok(...inService, `cd /var/lib/orrery-node/update && ${put}`);
    const last = () => host.peek("/var/lib/orrery-node/upgrade/last.json") ?? "{}";
    await until(() => last().includes('"request": "mine"'), { timeoutMs: 60_000, what: "the refusal" });
    expect(JSON.parse(last())).toMatchObject({
      result: "refused",
      reason: expect.stringContaining("is not the file"),
    });
    expect((await host.run(...inService, "echo x >/var/lib/orrery-node/upgrade/journal.json")).text).toContain(
      "ead-only",
    );
    expect((await host.run(...inService, "echo x >/opt/orrery/current-node/orrery-node")).text).toContain("ead-only");
    expect(await show()).toBe(pid);
    await host.ok("orrery-node", "uninstall", "--delete-data");
    expect((await host.run("sh", "-c", "ls /etc/systemd/system/orrery-node*")).code).not.toBe(0);
  });

  test("the doctor finds nothing that fails", async () => {
    const { healthy, findings } = JSON.parse(await host.ok("orrery-panel", "doctor", "--json"));
    expect(findings.filter(({ status }: { status: string }) => status === "fail")).toEqual([]);
    expect(healthy).toBe(true);
  });

  test("an upgrade keeps the data the user's, and what root copied of it", async () => {
    await writeNewerRelease(join(work, "panel"), "orrery-panel");
    host.copyIn(join(work, "panel"), "/root/panel");
    const file = (await host.ok("sh", "-c", "ls /root/panel/*/orrery-panel-linux-x64")).trim();
    const { code, text } = await host.run("orrery-panel", "upgrade", "--file", file);
    expect(text).toContain("is running. The databases as they were");
    expect(code).toBe(0);
    expect(await host.ok("find", DATA, "-not", "-user", "orrery-panel", "-not", "-path", `${DATA}/upgrade*`)).toBe("");
    expect((await logIn()).status).toBe(200);
  });

  test("uninstall takes the program away and leaves the data; a new install finds it", async () => {
    await host.ok("orrery-panel", "uninstall");
    expect((await host.run("test", "-e", "/opt/orrery")).code).toBe(1);
    expect((await host.run("test", "-f", `${DATA}/panel.db`)).code).toBe(0);
    // The release that was upgraded to is gone, so an older one is a first install again.
    expect((await install()).code).toBe(0);
    expect((await logIn()).status).toBe(200);
    await host.ok("orrery-panel", "uninstall", "--delete-data");
    expect((await host.run("grep", "orrery", "/etc/passwd", "/etc/group")).text).toBe("");
    expect((await host.run("sh", "-c", "ls /etc/systemd/system/orrery*")).code).not.toBe(0);
  });
});
