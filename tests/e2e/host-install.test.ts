import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSigningKey, signSums } from "../../src/build/sign.ts";
import { NODE_BINARY } from "../kit/binary.ts";
import { openBrowser } from "../kit/browser.ts";
import { createClient, OWNER, signIn } from "../kit/client.ts";
import { ROOT, suite } from "../kit/env.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

const DATA = "/var/lib/orrery-node";

suite("a bare host", ["docker", "systemd_image", "openssl", "chromium"], () => {
  let host: SystemdHost;
  let work: string;
  const answers = () =>
    createClient(host.url)
      .call("GET /api/auth/me")
      .then((reply) => reply.status === 401);
  const claimToken = async () => (await host.ok("cat", `${DATA}/claim-token`)).trim();

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-host-"));
    host = await startSystemdHost();
    await host.ok("mkdir", "/root/release");
    for (const name of ["orrery-node", "SHA256SUMS", "SHA256SUMS.sig", "install.sh"]) {
      host.copyIn(join(ROOT, "dist", name), `/root/release/${name}`);
    }
  });
  afterAll(async () => {
    await host?.remove();
    rmSync(work, { recursive: true, force: true });
  });
  const install = (...options: string[]) =>
    host.run("sh", "/root/release/install.sh", "--file", "/root/release/orrery-node", ...options);

  test("a dry run says what would change and changes nothing", async () => {
    const before = await host.ok(
      "find",
      "/etc",
      "/opt",
      "/usr/local",
      "/var/lib",
      "-newer",
      "/root/release",
      "-type",
      "f",
    );
    const { code, text } = await install("--dry-run");
    expect(text).toContain("/etc/systemd/system/orrery-node.service");
    expect(code).toBe(0);
    expect((await host.run("test", "-e", "/opt/orrery")).code).toBe(1);
    expect(
      await host.ok("find", "/etc", "/opt", "/usr/local", "/var/lib", "-newer", "/root/release", "-type", "f"),
    ).toBe(before);
  });

  test("a changed program is refused", async () => {
    await host.ok(
      "sh",
      "-c",
      "rm -rf /root/changed && cp -r /root/release /root/changed && echo x >>/root/changed/orrery-node",
    );
    const { code, text } = await host.run("sh", "/root/changed/install.sh", "--file", "/root/changed/orrery-node");
    expect(text).toContain("SHA-256 differs");
    expect(code).toBe(1);
    await host.ok("rm", "-r", "/root/changed");
  });

  test("from a release base it fetches what fits the machine, and refuses what nobody signed", async () => {
    const names = ["orrery-node-linux-x64", "orrery-node-linux-x64-baseline"];
    const programs = names.map((name) => join(work, name));
    for (const program of programs) symlinkSync(NODE_BINARY, program);
    const version = Bun.spawnSync([NODE_BINARY, "version"]).stdout.toString().trim();
    await signSums(
      work,
      programs.map((path, at) => ({
        path,
        program: "orrery-node",
        version,
        target: at === 0 ? "linux-x64" : "linux-x64-baseline",
      })),
      openSigningKey(process.env["ORRERY_SIGNING_KEY"], join(ROOT, ".data"), () => {}),
    );
    host.copyIn(join(work, "SHA256SUMS"), "/root/SHA256SUMS");
    host.copyIn(join(work, "SHA256SUMS.sig"), "/root/SHA256SUMS.sig");
    host.copyIn(Bun.which("busybox") ?? "/bin/busybox", "/root/busybox");
    const serve = `pkill -x busybox; rm -rf /root/mirror && mkdir /root/mirror && cd /root/mirror && mv ../SHA256SUMS ../SHA256SUMS.sig . &&
      for name in ${names.join(" ")}; do ln ../release/orrery-node $name; done && /root/busybox httpd -p 127.0.0.1:8000`;
    await host.ok("sh", "-c", serve);
    const fetched = (base: string) =>
      host.run("env", `ORRERY_RELEASE_BASE=${base}`, "sh", "/root/release/install.sh", "--dry-run");
    const good = await fetched("http://127.0.0.1:8000");
    expect(good.text).toMatch(
      /Verified orrery-node-linux-x64(-baseline)?: signature and SHA-256 are right, this is version \d/,
    );
    expect(good.text).toContain("/etc/systemd/system/orrery-node.service");
    expect(good.code).toBe(0);
    // A folder that calls itself newer than what lies in it.
    await host.ok("sh", "-c", "mkdir /root/mirror/9.9.9 && cd /root/mirror && ln SHA256SUMS* orrery-node-* 9.9.9");
    const renamed = await host.run(
      ...["env", "ORRERY_RELEASE_BASE=http://127.0.0.1:8000", "ORRERY_VERSION=9.9.9", "sh", "/root/release/install.sh"],
    );
    expect(renamed.text).toContain(`9.9.9 holds version ${version}, not 9.9.9; nothing was changed`);
    expect(renamed.code).toBe(1);
    await host.ok("sh", "-c", "echo '# more' >>/root/mirror/SHA256SUMS");
    const bad = await fetched("http://127.0.0.1:8000");
    expect(bad.text).toContain("the signature of SHA256SUMS is not by the release key");
    expect(bad.code).toBe(1);
    expect((await fetched("http://127.0.0.1:8000/nowhere")).text).toContain("could not be fetched");
    expect((await host.run("test", "-e", "/opt/orrery")).code).toBe(1);
  });

  test("install.sh makes it a running service and prints where it is", async () => {
    const { code, text } = await install();
    expect(text).toContain("Verified orrery-node");
    expect(text).toContain(":8420");
    expect(text).toContain(await claimToken());
    expect(code).toBe(0);
    expect((await host.ok("systemctl", "is-active", "orrery-node")).trim()).toBe("active");
    const config = await host.ok("orrery-node", "config");
    expect(config).toContain(`data_dir = "${DATA}"`);
    expect(config).toContain('listen = {"host":"0.0.0.0","port":8420}');
    expect(await answers()).toBe(true);
  });

  test("a second run changes nothing", async () => {
    const started = await host.ok("systemctl", "show", "-p", "MainPID", "orrery-node");
    const { code, text } = await install();
    expect(text).toContain("nothing was changed");
    expect(code).toBe(0);
    expect(await host.ok("systemctl", "show", "-p", "MainPID", "orrery-node")).toBe(started);
  });

  test("only who has the claim token becomes the owner", async () => {
    const stranger = await createClient(host.url).call("POST /api/auth/setup", {
      username: "stranger",
      password: "correct horse battery",
    });
    expect(stranger.status).toBe(403);
    const browser = await openBrowser();
    const { page } = browser;
    // The address that the installer prints as a code: the token rides in the fragment.
    await page.goto(`${host.url}/#claim=${await claimToken()}`);
    await page.getByLabel("User name").fill(OWNER.username);
    await page.getByRole("textbox", { name: "Passphrase" }).fill(OWNER.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Name your server" }).waitFor();
    expect(browser.complaints).toEqual([]);
    await browser.close();
    const owner = await signIn(host.url);
    expect((await owner.ok("GET /api/auth/me")).role).toBe("admin");
    expect((await host.run("test", "-e", `${DATA}/claim-token`)).code).toBe(1);
  });

  test("it comes back after a kill", async () => {
    await host.ok("systemctl", "kill", "-s", "SIGKILL", "orrery-node");
    await until(answers, { timeoutMs: 60_000, everyMs: 200, what: "the service after a kill" });
    await signIn(host.url);
  });

  test("the admin command is there and speaks to it", async () => {
    const login = await host.run(
      "sh",
      "-c",
      `echo '${OWNER.password}' | orrery login ${OWNER.username} --password-stdin`,
    );
    expect(login).toMatchObject({ code: 0 });
    const status = await host.ok("orrery", "status");
    expect(status).toContain("bare-host");
    expect(status).toContain("0 installed");
    expect(await host.ok("orrery", "metrics")).toContain("memory");
  });

  test("backups are kept where disks are mounted, also later, and nowhere else", async () => {
    // A host that is no container does that when it boots.
    await host.ok("mount", "--make-rshared", "/");
    await host.ok("systemctl", "restart", "orrery-node");
    await until(answers, { timeoutMs: 60_000, everyMs: 200, what: "the service after a restart" });
    await host.ok("sh", "-c", "mkdir -p /mnt/disk /mnt/late /srv/elsewhere && mount -t tmpfs late /mnt/late");
    const owner = await signIn(host.url);
    const keepIn = (path: string) =>
      owner.call("POST /api/backup/targets", { type: "local", name: path, path }).then(({ body }) => body);
    for (const path of ["/mnt/disk", "/mnt/late", "/var/backups"]) {
      const { id } = await keepIn(path);
      expect((await owner.ok(`POST /api/backup/targets/${id}/test`)).ok).toBe(true);
    }
    expect((await host.ok("ls", "/mnt/late")).trim()).toContain("config.json");
    for (const path of ["/srv/elsewhere", "/root", "/opt/orrery"]) {
      const { code, message } = await keepIn(path);
      expect([path, code, message.includes("may not write")]).toEqual([path, "backup_target_unfit", true]);
    }
  });

  test("the doctor finds nothing wrong but the missing Docker", async () => {
    const { text } = await host.run("orrery-node", "doctor");
    expect(text).toContain("Docker");
  });

  test("what the node may not do itself the host role does: root asks it by its socket, and it leaves when nobody does", async () => {
    const readRecord = () => (host.peek("/var/log/orrery-host/audit.jsonl") ?? "").split("\n").filter(Boolean);
    const earlier = readRecord().length;
    await offerPackage(host, work);
    const short = "[Service]\nExecStart=\nExecStart=/opt/orrery/current-node/orrery-node host --idle 3\n";
    await host.ok("mkdir", "-p", "/run/systemd/system/orrery-host.service.d");
    await host.ok("sh", "-c", `printf '${short}' >/run/systemd/system/orrery-host.service.d/idle.conf`);
    await host.ok("systemctl", "daemon-reload");
    const role = async () => (await host.run("systemctl", "is-active", "orrery-host.service")).text.trim();
    // A node that has just begun asks it what is installed; a question that comes later finds the short one.
    const stopped = async () => {
      await host.ok("systemctl", "stop", "orrery-host.service");
      return (await role()) === "inactive";
    };
    await until(stopped, { timeoutMs: 30_000, everyMs: 500, what: "the host role without a question" });
    expect((await host.ok("stat", "-c", "%a %U", "/run/orrery-node", "/run/orrery-node/host.sock")).trim()).toBe(
      "700 root\n600 root",
    );

    // From where the node is: its own view of the files is closed, and this way is open.
    const pid = (await host.ok("systemctl", "show", "-p", "MainPID", "--value", "orrery-node")).trim();
    const inside = ["nsenter", "--mount", "--target", pid];
    expect((await host.run(...inside, "touch", "/var/lib/dpkg/touched")).text).toContain("Read-only file system");
    const version = (await host.ok("orrery-node", "version")).trim();
    const ask = async (verb: string, input: object) => {
      const question = JSON.stringify({ version, verb, by: "usr_1", input });
      const lines = (await host.ok(...inside, "perl", "/root/ask.pl", question)).trim().split("\n");
      return JSON.parse(lines.at(-1) ?? "");
    };
    const packages = ["earlyoom"];
    expect(await ask("packages.state", { packages: ["earlyoom", "caddy"] })).toMatchObject({
      output: { manager: "apt", packages: [{ installed: null }, { installed: null, candidate: null }] },
    });
    expect(await ask("packages.install", { packages: ["caddy"] })).toMatchObject({ code: "package_unavailable" });
    expect(await ask("packages.install", { packages })).toEqual({ event: "done", output: { installed: packages } });
    const unit = "earlyoom.service";
    const on = { active: true, enabled: true, failed: false, exists: true };
    expect((await ask("unit.set", { unit, enabled: true, active: true })).output).toEqual(on);
    expect(await ask("packages.install", { packages: ["bash"] })).toMatchObject({ code: "host_request_refused" });
    expect(await ask("unit.set", { unit, enabled: false, active: false })).toMatchObject({
      output: { active: false, enabled: false },
    });
    expect(await ask("packages.remove", { packages })).toMatchObject({ output: { removed: packages } });
    expect((await host.run("dpkg-query", "--status", "earlyoom")).code).toBe(1);

    const record = readRecord().slice(earlier);
    const told = record.map((line) => JSON.parse(line)).map(({ verb, phase, by }) => `${by} ${verb} ${phase}`);
    expect(told).toEqual([
      "usr_1 packages.install begun",
      "usr_1 packages.install failed",
      "usr_1 packages.install begun",
      "usr_1 packages.install done",
      ...["begun", "done", "begun", "done"].map((phase) => `usr_1 unit.set ${phase}`),
      "usr_1 packages.remove begun",
      "usr_1 packages.remove done",
    ]);
    expect(await host.ok("journalctl", "-u", "orrery-host", "-o", "cat")).toContain('"verb":"packages.install"');
    await until(async () => (await role()) === "inactive", {
      timeoutMs: 60_000,
      everyMs: 300,
      what: "the role to leave",
    });
    expect((await host.ok("systemctl", "is-active", "orrery-host.socket")).trim()).toBe("active");
    await host.ok("rm", "-r", "/run/systemd/system/orrery-host.service.d");
    await host.ok("systemctl", "daemon-reload");
  });

  test("a terminal of the server is a shell of the user that its owner chose, outside of the node's sandbox", async () => {
    await host.ok("sh", "-c", "id deploy || useradd --create-home --shell /bin/sh deploy");
    const owner = await signIn(host.url);
    const chosen = { mode: "unprivileged", user: "deploy", password: OWNER.password };
    expect((await owner.ok("PUT /api/host/terminal", chosen)).place).toBe("server");
    const { ticket } = await owner.ok("POST /api/host/terminal/ticket");
    const client = new WebSocket(
      `${host.url.replace("http", "ws")}/ws/host/terminal?ticket=${ticket}&cols=90&rows=30`,
      {
        headers: { authorization: `Bearer ${owner.token}` },
      },
    );
    client.binaryType = "arraybuffer";
    const told: Record<string, unknown>[] = [];
    let text = "";
    client.onmessage = ({ data }) => {
      if (typeof data === "string") told.push(JSON.parse(data));
      else text += Buffer.from(data).toString();
    };
    const hears = (type: string) =>
      until(() => told.find((word) => word["type"] === type), { what: type, everyMs: 20 });
    expect(await hears("ready")).toMatchObject({ run_as: "deploy" });
    // Nothing but the interrupt ends the first command, and the second writes where the node may not. The terminal echoes what is
    // typed long before there is a shell, and a shell that is not ready yet is ended by an interrupt.
    client.send(new TextEncoder().encode("sleep 3600; true\r"));
    const sleeps = async () => (await host.run("pgrep", "--uid", "deploy", "--exact", "sleep")).code === 0;
    await until(sleeps, { what: "the first command" });
    client.send(new TextEncoder().encode("\u0003"));
    client.send(new TextEncoder().encode("id -un >/home/deploy/who; stty size; exit 5\r"));
    expect(await hears("exit")).toEqual({ type: "exit", exit_code: 5 });
    expect(text).toContain("30 90");
    expect((await host.ok("cat", "/home/deploy/who")).trim()).toBe("deploy");
    const record = await host.ok("cat", "/var/log/orrery-host/audit.jsonl");
    expect(record).toContain('"verb":"terminal.open"');
    await owner.ok("PUT /api/host/terminal", { mode: "off", password: OWNER.password });
  });

  test("uninstall takes the program away and leaves the data; a new install finds it", async () => {
    const { text } = await host.run("orrery-node", "uninstall");
    expect(text).toContain("Kept: /var/lib/orrery-node, /etc/orrery/node.env, /var/log/orrery-host.");
    expect((await host.ok("systemctl", "list-units", "--all", "--plain", "--no-legend", "orrery-*")).trim()).toBe("");
    expect((await host.run("sh", "-c", "ls -d /etc/systemd/system/orrery-* /run/orrery-node")).code).not.toBe(0);
    expect((await host.run("systemctl", "is-active", "orrery-node")).text.trim()).not.toBe("active");
    expect((await host.run("test", "-e", "/opt/orrery")).code).toBe(1);
    expect((await host.run("test", "-f", `${DATA}/main.db`)).code).toBe(0);
    expect((await install()).code).toBe(0);
    await signIn(host.url);
    expect((await host.run("test", "-e", `${DATA}/claim-token`)).code).toBe(1);
  });
});

/** Puts a source of packages with one small package in it, which brings a unit, and the other side of the host role's socket. */
async function offerPackage(host: SystemdHost, work: string): Promise<void> {
  const folder = join(work, "source");
  mkdirSync(join(folder, "package/DEBIAN"), { recursive: true });
  mkdirSync(join(folder, "package/lib/systemd/system"), { recursive: true });
  const control = [
    "Package: earlyoom",
    "Version: 9.9",
    "Architecture: all",
    "Maintainer: Orrery <test@orrery.invalid>",
    "Description: one for tests",
  ].join("\n");
  writeFileSync(join(folder, "package/DEBIAN/control"), `${control}\n`);
  writeFileSync(
    join(folder, "package/lib/systemd/system/earlyoom.service"),
    "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n",
  );
  const connect = 'my $s = IO::Socket::UNIX->new(Peer => "/run/orrery-node/host.sock") or die $!;';
  writeFileSync(
    join(folder, "ask.pl"),
    `use IO::Socket::UNIX; ${connect} print $s "$ARGV[0]\\n"; while (<$s>) { print }`,
  );
  host.copyIn(folder, "/srv/source");
  const steps = [
    "cd /srv/source && chown -R root:root . && cp ask.pl /root && chmod -R go+rX .",
    "dpkg-deb --build package earlyoom.deb",
    "size=$(stat -c %s earlyoom.deb) && sum=$(sha256sum earlyoom.deb | cut -d' ' -f1)",
    '{ cat package/DEBIAN/control; echo "Filename: ./earlyoom.deb"; echo "Size: $size"; echo "SHA256: $sum"; } >Packages',
    "echo 'deb [trusted=yes] file:/srv/source ./' >/etc/apt/sources.list",
  ];
  await host.ok("sh", "-c", steps.join(" && "));
}
