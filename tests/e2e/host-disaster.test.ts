import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { startAppsNode } from "../kit/apps.ts";
import { signIn } from "../kit/client.ts";
import { visit } from "../kit/engine-node.ts";
import { ROOT, suite } from "../kit/env.ts";
import { freePort } from "../kit/free-port.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";
import { type SystemdHost, startSystemdHost } from "../kit/systemd-host.ts";
import { until } from "../kit/until.ts";

suite("a server that is thrown away", ["docker", "registry", "images", "systemd_image", "openssl", "btrfs"], () => {
  let engine: OwnEngine;
  beforeAll(async () => {
    engine = await startOwnEngine(1500, { disk: "btrfs", parent: "/srv" });
  });
  afterAll(() => engine?.dispose(), 60_000);

  test("three apps, files and people is thrown away: a new host comes back from the kit alone, and they answer with their old data", async () => {
    const more = ["one", "two", "three"].map((name) => ({
      ...{ name: `test-${name}`, image: "web" as const, isAskedInside: true, withDatabase: name === "three" },
    }));
    const apps = await startAppsNode({ ORRERY_DOCKER_SOCKET: engine.socket }, more);
    const disk = makeScratch("thrown-away");
    const names = more.map(({ name }) => apps.freshName(name.slice(5)));
    const write = (name: string) =>
      engine.docker("exec", `orrery-${name}-web`, "sh", "-c", `echo "letter of ${name}" >/data/letter`);
    const read = (name: string) => engine.docker("exec", `orrery-${name}-web`, "cat", "/data/letter");
    let host: SystemdHost | null = null;
    try {
      // Ports that apps of other tests do not take while these are away.
      const installed = await Promise.all(
        more.map(({ name }, at) => apps.installed(name, names[at] ?? name, { ports: { "web:8080": freePort() } })),
      );
      for (const { end } of installed) expect(end).toMatchObject({ event: "done" });
      for (const name of names) await write(name);
      const friend = { username: "friend", password: "a horse of another colour" };
      await apps.owner.ok("POST /api/users", { ...friend, role: "member" });
      const body = new FormData();
      body.set("file", new File(["what was written"], "note.txt"));
      const sent = await fetch(`${apps.node.url}/api/drive/upload`, {
        ...{ method: "POST", headers: { authorization: `Bearer ${apps.owner.token}` }, body },
      });
      expect(sent.ok).toBe(true);
      const place = await apps.owner.ok("POST /api/backup/targets", { type: "local", name: "disk", path: disk });
      const { recovery_key } = await apps.owner.ok(`GET /api/backup/targets/${place.id}/kit`);
      const wish = { target: place.id, apps: installed.map(({ id }) => id), include_config: true };
      const { op_id } = await apps.owner.ok("POST /api/backups", wish);
      expect((await apps.follow(op_id)).at(-1)?.event).toBe("done");
      for (const { id } of installed) await apps.reaches(id, "running");
      const before = await apps.owner.ok("GET /api/apps");

      // All of it goes.
      await apps.node.kill();
      for (const { id } of installed)
        for (const kind of ["container", "volume", "network"]) {
          const found = await engine.docker(
            kind,
            "ls",
            "-q",
            ...(kind === "container" ? ["-a"] : []),
            "--filter",
            `label=orrery.app=${id}`,
          );
          if (found !== "") await engine.docker(kind, "rm", "-f", ...found.split("\n"));
        }

      host = await startSystemdHost(8420, [
        `${disk}:/mnt/disk`,
        `${engine.socket}:/run/docker.sock`,
        `${engine.root}:${engine.root}`,
      ]);
      await host.ok("mkdir", "/root/release");
      for (const name of ["orrery-node", "SHA256SUMS", "SHA256SUMS.sig", "install.sh"])
        host.copyIn(join(ROOT, "dist", name), `/root/release/${name}`);
      const back = `echo '${recovery_key}' | /root/release/orrery-node restore /mnt/disk --data /var/lib/orrery-node`;
      expect(await host.ok("sh", "-c", back)).toContain("is back in /var/lib/orrery-node");
      await host.ok("sh", "/root/release/install.sh", "--file", "/root/release/orrery-node");
      const { url } = host;
      const owner = await until(() => signIn(url), { timeoutMs: 30_000, everyMs: 300, what: "the owner to come in" });
      const isBack = async () => {
        const states = (await owner.ok("GET /api/apps")).map(({ status, error }: { status: string; error: unknown }) =>
          status === "running" ? status : JSON.stringify({ status, error }),
        );
        if (states.some((state: string) => state !== "running")) throw new Error(states.join(", "));
        return true;
      };
      await until(isBack, { timeoutMs: 90_000, everyMs: 500, what: "three apps that run" });
      const after = await owner.ok("GET /api/apps");
      const known = (list: Record<string, unknown>[]) =>
        list.map(({ id, name, version, port }) => ({ id, name, version, port }));
      expect(known(after)).toEqual(known(before));
      for (const name of names) expect(await read(name)).toBe(`letter of ${name}`);
      for (const { port } of known(after)) {
        expect(await visit(`http://127.0.0.1:${port}/cgi-bin/whoami`)).toContain("hello");
      }
      expect((await signIn(url, friend)).token).not.toBe("");
      const { finds } = await owner.ok("GET /api/drive/search?q=note.txt");
      expect(finds.map(({ node }: { node: Record<string, unknown> }) => [node["name"], node["size_bytes"]])).toEqual([
        ["note.txt", 16],
      ]);

      // From inside the unit's sandbox, too, an app is copied from a snapshot while it goes on.
      const [first] = installed;
      const started = () => engine.docker("inspect", "-f", "{{.State.StartedAt}}", `orrery-${names[0]}-web`);
      const since = await started();
      await owner.ok(`PUT /api/backup/policies/${first?.id}`, { mode: "snapshot" });
      await host.ok("mkdir", "/mnt/disk/again");
      const again = await owner.ok("POST /api/backup/targets", {
        type: "local",
        name: "again",
        path: "/mnt/disk/again",
      });
      const ofOne = { target: again.id, apps: [first?.id], include_config: false };
      const begin = async () => {
        const { status, body } = await owner.call("POST /api/backups", ofOne);
        return status === 200 && body;
      };
      // A drill of the backup may be under way, which the new node begins by itself.
      const { id } = await until(begin, { timeoutMs: 90_000, what: "the drill to be through" });
      const made = () =>
        owner.ok("GET /api/backups").then((all) => all.find((one: { id: string }) => one.id === id) ?? null);
      await until(async () => (await made())?.status !== "in_progress", { timeoutMs: 60_000, what: "the backup" });
      expect(await made()).toMatchObject({ status: "completed", notes: [] });
      expect([await started(), await engine.snapshots()]).toEqual([since, []]);
    } finally {
      await host?.remove();
      await apps.dispose();
    }
  }, 400_000);
});
