import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, renameSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { createRestoreCommand } from "../../src/node/backups/backups/index.ts";
import { startAppsNode } from "../kit/apps.ts";
import { makeDatabasesImage, writeDatabasesTemplate } from "../kit/database-app.ts";
import { type EngineNode, endAll, startEngineNode, wipe } from "../kit/engine-node.ts";
import { untilState as untilStateOf } from "../kit/engine-watch.ts";
import { suite } from "../kit/env.ts";
import { createFakeClock } from "../kit/fake-clock.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";
import { until } from "../kit/until.ts";

suite("backups of apps", ["docker", "registry", "images", "postgres", "databases"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let id: string;
  let container: string;
  let target: string;
  const shell = (script: string) => engine.docker("exec", "-u", "0", container, "sh", "-c", script);
  /** Everything there is to know of the data, in words. */
  const describe = () =>
    shell(
      "cd /data && find . -exec stat -c '%n %F %a %u:%g %Y %N' {} + | sort; find . -type f -exec md5sum {} + | sort",
    );
  const untilOver = (opId: string) => node.untilOver(opId);
  const untilState = (name: string, state: string) => untilStateOf(engine, name, state);

  async function begin(): Promise<void> {
    node = await startEngineNode({ socket: engine.socket });
    ({ id, container } = await node.run("test-checked"));
    const path = makeScratch("backups");
    target = (await node.call("POST /api/backup/targets", { type: "local", name: "disk", path })).body.id;
  }

  beforeAll(async () => {
    engine = await startOwnEngine(900);
    await begin();
  });
  // A try that failed half way may have left the node stopped, or without its app.
  beforeEach(async () => {
    if ((await node.call(`GET /api/apps/${id}`)).status !== 200) await begin();
  });
  afterAll(() => endAll({ node, id, engine }), 120_000);

  test("an app comes back as it was, with owners, modes, times and links, and runs again", async () => {
    await shell(
      `cd /data && mkdir -p top/deep && printf 'hello' >top/note.txt && head -c 3000000 /dev/urandom >top/big.bin &&
       touch -d '2001-02-03 04:05:06' top/note.txt && ln -s /etc/passwd top/outside && ln top/note.txt top/twin &&
       : >top/empty && printf odd >"top/it's odd ü" && chmod 4750 top/big.bin && chown 1234:4321 top top/note.txt`,
    );
    const before = await describe();
    const backup = (await node.call("POST /api/backups", { target, apps: [id], include_config: true })).body;
    expect(await untilOver(backup.op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    // Its volumes were read where they lie, and the next backup reads what changed alone.
    expect(readdirSync(join(node.dataDir, "backup-layouts")).length).toBeGreaterThan(0);
    expect(await describe()).toBe(before);

    // One folder alone comes back, beside what is there or over it, and nothing else changes.
    const looked = (await node.call(`POST /api/backups/${backup.id}/browse`)).body;
    expect(await untilOver(looked.op_id)).toBe("done");
    const [{ volume }] = (await node.call(`GET /api/backups/${backup.id}/volumes`)).body;
    await shell("cd /data/top && printf other >note.txt && printf mine >since && rm empty");
    const putBack = async (path: string, mode: string, dry_run = false) =>
      (await node.call(`POST /api/backups/${backup.id}/put-back`, { app: id, volume, path, mode, dry_run })).body;
    const { op_id, changes } = await putBack("top", "over", true);
    expect(op_id).toBe(null);
    const told = changes.changes.map(({ path, change }: { path: string; change: string }) => `${change} ${path}`);
    expect(told).toContain("added top/empty");
    expect(told).toContain("changed top/note.txt");
    expect(told.join()).not.toContain("big.bin");
    const beside = await putBack("top/note.txt", "beside");
    expect(await untilOver(beside.op_id)).toBe("done");
    expect(await shell(`cd /data && cat '${beside.path}' top/note.txt && rm '${beside.path}'`)).toContain("helloother");
    expect(await untilOver((await putBack("top", "over")).op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect(await shell("cd /data && cat top/since && rm top/since")).toContain("mine");
    const data = (words: string) => words.split("\n").filter((line) => !/^\.(\/top)? /.test(line));
    expect(data(await describe())).toEqual(data(before));

    // All of it comes back as a new app beside this one, which is not touched.
    const startedAt = () => engine.docker("inspect", "-f", "{{.State.StartedAt}} {{.Id}}", container);
    const [mine] = (await node.call("GET /api/apps")).body.filter((app: { id: string }) => app.id === id);
    const [untouched, changedBefore] = [await startedAt(), await describe()];
    const ask = { mode: "beside", apps: [id], name: "then" };
    const plan = await node.call(`POST /api/backups/${backup.id}/restore/plan`, ask);
    const [foreseen] = plan.body.apps;
    expect(foreseen).toMatchObject({ app: id, becomes: "then", version: "1.0.0", notes: [] });
    expect(foreseen.volumes.map(({ from }: { from: string }) => from)).toEqual(["files"]);
    const taken = await node.call(`POST /api/backups/${backup.id}/restore`, { ...ask, name: mine.name });
    expect([taken.status, taken.body.code]).toEqual([409, "app_name_taken"]);
    const made = (await node.call(`POST /api/backups/${backup.id}/restore`, ask)).body;
    expect(await untilOver(made.op_id)).toBe("done");
    const copy = (await node.call("GET /api/apps")).body.find((app: { name: string }) => app.name === "then");
    const running = await node.untilStatus(copy.id, "running", 60_000);
    expect(running.port).not.toBe(mine.port);
    const secretOf = async (app: string) => (await node.call(`GET /api/apps/${app}/secrets`)).body;
    expect(await secretOf(copy.id)).toEqual(await secretOf(id));
    container = container.replace(mine.name, "then");
    expect(data(await describe())).toEqual(data(before));
    await node.remove(copy.id);
    container = container.replace("then", mine.name);
    expect([await startedAt(), await describe()]).toEqual([untouched, changedBefore]);

    await shell("cd /data && rm -rf top && echo new >other");
    const changed = await describe();
    const restore = (await node.call(`POST /api/backups/${backup.id}/restore`)).body;
    expect(restore.apps).toEqual([id]);
    expect(await untilOver(restore.op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect(await describe()).toBe(before);

    // What was there before the restore is a backup, too.
    const [safety] = (await node.call("GET /api/backups")).body;
    const back = (await node.call(`POST /api/backups/${safety.id}/restore`)).body;
    expect(await untilOver(back.op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect((await describe()).split("\n").map((line) => line.split(" ")[0])).toEqual(
      changed.split("\n").map((line) => line.split(" ")[0]),
    );
  });

  test("what does not fit where Docker keeps its data is refused before anything is replaced, and comes back once there is room", async () => {
    await shell("cd /data && rm -rf top && head -c 60000000 /dev/urandom >big.bin");
    const full = (await node.call("POST /api/backups", { target, apps: [id], include_config: false })).body;
    expect(await untilOver(full.op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    await shell("cd /data && rm big.bin && echo mine >since");
    const before = await describe();
    const restore = async () => (await node.call(`POST /api/backups/${full.id}/restore`)).body.op_id;
    const { bavail, bsize } = statfsSync(engine.root);
    const ofOthers = join(engine.root, "of-others");
    await Bun.$`fallocate -l ${bavail * bsize - 20_000_000} ${ofOthers}`;
    const refused = await restore();
    expect(await untilOver(refused)).toMatch(
      / needs 0\.1 GB of disk where Docker keeps its data, and 0\.0 GB are free, so nothing was changed\. Make room, then try again\.$/,
    );
    const { error } = (await node.call(`GET /api/operations/${refused}`)).body;
    expect(error).toMatchObject({ code: "backup_restore_room", next_step: "See to that, then try again." });
    await node.untilStatus(id, "running", 60_000);
    expect(await describe()).toBe(before);
    const left = "SELECT app_id FROM backup_restores UNION ALL SELECT app_id FROM backup_halts";
    expect(node.ctx.db.raw.query(left).all()).toEqual([]);
    rmSync(ofOthers);
    expect(await untilOver(await restore())).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect(await shell("stat -c %s /data/big.bin && rm /data/big.bin")).toBe("60000000");
  });

  test("an app that is paused for its copy is not started anew, counts as running, and goes on also after the node ended", async () => {
    const inspect = async (format: string) => (await engine.docker("inspect", "-f", format, container)).trim();
    // What an earlier try of this test may have left.
    await node.call(`PUT /api/backup/policies/${id}`, { mode: null });
    const isOver = async () =>
      (await node.call("GET /api/backups")).body.every(({ status }: { status: string }) => status !== "in_progress");
    await until(isOver, { timeoutMs: 30_000, what: "the backup before this one" });
    await node.untilStatus(id, "running", 30_000);
    const policy = (await node.call("GET /api/backup/policies")).body.find(({ app }: { app: string }) => app === id);
    expect(policy).toMatchObject({ mode: null, usual: "stop", dumps: [] });
    const chosen = await node.call(`PUT /api/backup/policies/${id}`, { mode: "pause" });
    expect(chosen.body).toMatchObject({ mode: "pause" });
    await shell("cd /data && head -c 40000000 /dev/urandom >big.bin");
    const startedAt = await inspect("{{.State.StartedAt}}");
    const changes = async () => (await node.eventsOf("app.status_changed")).filter((change) => change.id === id);
    const told = (await changes()).length;
    const begun = (await node.call("POST /api/backups", { target, apps: [id], include_config: false })).body;
    await untilState(container, "paused");
    expect((await node.call(`GET /api/apps/${id}`)).body.status).toBe("running");
    expect(await untilOver(begun.op_id)).toBe("done");
    expect([await inspect("{{.State.Status}}"), await inspect("{{.State.StartedAt}}")]).toEqual(["running", startedAt]);
    // Docker calls it unhealthy from its pause to the first check after that.
    await until(async () => (await inspect("{{.State.Health.Status}}")) === "healthy", { what: "the first check" });
    expect((await changes()).slice(told)).toEqual([]);

    // What a program that was killed in the middle leaves: the app is paused, and on disk stands that it has to go on.
    await shell("cd /data && head -c 15000000 /dev/urandom >big.bin");
    await node.call("POST /api/backups", { target, apps: [id], include_config: false });
    await untilState(container, "paused");
    const { dataDir } = node;
    await node.stop();
    const left = await inspect("{{.State.Status}}");
    node = await startEngineNode({ dataDir, socket: engine.socket });
    expect(left).toBe("paused");
    await node.ctx.jobs.run("backups.go_on");
    await untilState(container, "running");
    expect(await inspect("{{.State.StartedAt}}")).toBe(startedAt);
    const [cut] = (await node.call("GET /api/backups")).body;
    expect(cut.status).toBe("failed");
    expect(await changes()).toEqual([]);
  });

  test("databases that are written all the time come back whole, with all that was committed before, and what was before them after that", async () => {
    writeDatabasesTemplate(join(node.dataDir, "own-templates"), await makeDatabasesImage());
    const { id: app } = await node.install("test-databases");
    const { name } = await node.untilStatus(app, "running", 180_000);
    const ask = (service: string, ...argv: string[]) =>
      engine.docker("exec", "-e", "PGOPTIONS=-c search_path=public", `orrery-${name}-${service}`, ...argv);
    const asks = {
      sqlite: (sql: string) => ask("sqlite", "sqlite3", "-cmd", ".timeout 8000", "/data/app.db", sql),
      postgres: (sql: string) => ask("postgres", "psql", "-qAtU", "keeper", "shop", "-c", sql),
      mariadb: (sql: string) =>
        ask("mariadb", "sh", "-c", 'MYSQL_PWD="$MARIADB_ROOT_PASSWORD" mariadb -N -u root shop -e "$1"', "sh", sql),
      redis: (command: string) => ask("redis", "redis-cli", ...command.split(" ")),
      mongo: (script: string) => ask("mongo", "sh", "-c", `cd /data/db && ${script}`),
    };
    const counts = {
      sqlite: () => asks.sqlite("select max(id) from sold"),
      postgres: () => asks.postgres("select count(*) from history"),
      mariadb: () => asks.mariadb("select max(id) from sold"),
      redis: () => asks.redis("get sold"),
      mongo: () => asks.mongo("grep -cx row rows"),
    };
    type Counts = Record<keyof typeof counts, number>;
    /** Asks one after the other, as each question is a program in a container, and the later ones have grown by then. */
    const grown = async (from: Counts): Promise<Counts> => {
      const now = { ...from };
      for (const [kind, count] of Object.entries(counts) as [keyof Counts, () => Promise<string>][])
        now[kind] = await until(
          async () => {
            const found = Number(await count().catch(() => 0));
            return found > from[kind] && found;
          },
          { timeoutMs: 120_000, everyMs: 1000, what: `rows in ${kind}` },
        );
      return now;
    };
    const assertWhole = async () => {
      expect(await asks.sqlite("pragma integrity_check")).toBe("ok");
      expect(await asks.sqlite("select count(*) from (select * from sold except select * from paid)")).toBe("0");
      const sums =
        "with told as (select sum(delta) from history) select (table told) = (select sum(balance) from accounts), (table told) = (select balance from branch)";
      expect(await asks.postgres(sums)).toBe("t|t");
      expect(await asks.mariadb("check table sold, paid")).not.toMatch(/error|corrupt/i);
      expect(await asks.mariadb("select count(*) from sold left join paid using (id) where paid.id is null")).toBe("0");
      expect(await asks.redis("eval return(redis.call('llen','paid')-redis.call('get','sold')) 0")).toBe("0");
    };
    const make = (name: string) =>
      Promise.all([
        ...[asks.sqlite, asks.postgres, asks.mariadb].map((ask) => ask(`create table ${name} (id int)`)),
        asks.redis(`set ${name} 1`),
        asks.mongo(`echo ${name} >>rows`),
      ]);
    /** In how many of the five it is. */
    const has = async (name: string) => {
      const found = await Promise.all([
        asks.sqlite(`select count(*) from sqlite_schema where name = '${name}'`),
        asks.postgres(`select count(*) from pg_tables where tablename = '${name}'`),
        asks.mariadb(`select count(*) from information_schema.tables where table_name = '${name}'`),
        asks.redis(`exists ${name}`),
        asks.mongo(`grep -cx ${name} rows || true`),
      ]);
      return found.filter((count) => count === "1").length;
    };

    const before = await grown({ sqlite: 5, postgres: 5, mariadb: 5, redis: 5, mongo: 5 });
    await make("earlier");
    const backup = (await node.call("POST /api/backups", { target, apps: [app], include_config: false })).body;
    expect(await untilOver(backup.op_id)).toBe("done");
    const after = await grown(before);
    const made = (await node.call("GET /api/backups")).body.find((one: { id: string }) => one.id === backup.id);
    expect(made.notes).toEqual([]);
    await make("later");

    const restore = (await node.call(`POST /api/backups/${backup.id}/restore`)).body;
    expect(await untilOver(restore.op_id)).toBe("done");
    await node.untilStatus(app, "running", 180_000);
    expect([await has("earlier"), await has("later")]).toEqual([5, 0]);
    await grown(before);
    await assertWhole();
    expect(after.sqlite).toBeGreaterThan(before.sqlite);

    // What was there before the restore is a backup, too, made while all of them were written.
    const [safety] = (await node.call("GET /api/backups")).body;
    const undo = (await node.call(`POST /api/backups/${safety.id}/restore`)).body;
    expect(await untilOver(undo.op_id)).toBe("done");
    await node.untilStatus(app, "running", 180_000);
    expect([await has("earlier"), await has("later")]).toEqual([5, 5]);
    await grown(after);
    await assertWhole();

    // One that cannot be loaded ends the others, and nothing changes: the databases run on as they are.
    const startedAt = () => engine.docker("inspect", "-f", "{{.State.StartedAt}}", `orrery-${name}-postgres`);
    const startedBefore = await startedAt();
    await asks.mongo("echo broken >>rows");
    const broken = (await node.call("POST /api/backups", { target, apps: [app], include_config: false })).body;
    expect(await untilOver(broken.op_id)).toBe("done");
    await make("latest");
    const refused = (await node.call(`POST /api/backups/${broken.id}/restore`)).body;
    expect(await untilOver(refused.op_id)).toBe(
      "failed: What the database in mongo had written could not be loaded again, so nothing was changed. It said: A row is broken.",
    );
    expect([await has("latest"), await startedAt()]).toEqual([5, startedBefore]);
    expect(await engine.docker("volume", "ls", "-q", "--filter", "name=.load")).toBe("");
    expect(await engine.docker("ps", "-aq", "--filter", "name=backup-load")).toBe("");
    await node.remove(app);
  }, 900_000);

  test("kill -9 while an app is paused or stopped for its copy: it goes on as soon as the node is back", async () => {
    const apps = await startAppsNode({ ORRERY_DOCKER_SOCKET: engine.socket });
    try {
      const name = apps.freshName("kept");
      const { id: app } = await apps.installed("test-web", name);
      await apps.reaches(app, "running");
      const path = makeScratch("backups");
      const disk = await apps.owner.ok("POST /api/backup/targets", { type: "local", name: "disk", path });
      const web = `orrery-${name}-web`;
      await engine.docker("exec", "-u", "0", web, "sh", "-c", "head -c 15000000 /dev/urandom >/data/big.bin");
      for (const [mode, still] of [
        ["pause", "paused"],
        ["stop", "exited"],
      ] as const) {
        await apps.owner.ok(`PUT /api/backup/policies/${app}`, { mode });
        await apps.owner.ok("POST /api/backups", { target: disk.id, apps: [app], include_config: false });
        await untilState(web, still);
        await apps.crash();
        await untilState(web, "running");
        await apps.reaches(app, "running");
        const [cut] = await apps.owner.ok("GET /api/backups");
        expect(cut.status).toBe("failed");
      }
    } finally {
      await apps.dispose();
    }
  });

  test("a lost node comes back on a new disk with its kit alone, and its apps with their data", async () => {
    await shell("cd /data && mkdir -p kept && printf 'worth much' >kept/letter && chown 1234 kept/letter");
    const before = await describe();
    const path = makeScratch("disaster");
    const away = (await node.call("POST /api/backup/targets", { type: "local", name: "away", path })).body.id;
    const { recovery_key } = (await node.call(`GET /api/backup/targets/${away}/kit`)).body;
    const { op_id } = (await node.call("POST /api/backups", { target: away, apps: [id], include_config: true })).body;
    expect(await untilOver(op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);

    // The disaster: containers, volumes and the data folder are gone.
    await node.remove(id);
    await node.stop();
    wipe(node.dataDir);
    const moved = join(makeScratch("moved"), "disk");
    renameSync(path, moved);

    const folder = join(makeScratch("new"), "data");
    const command = (options: Record<string, string>, typed = recovery_key) =>
      createRestoreCommand({
        option: {},
        folderOf: () => folder,
        version: options["version"] ?? "1.2.3",
        clock: createFakeClock(),
        migrate: () => {},
        ways: { kinds: [], end: () => "" },
        readLine: async () => typed,
      }).run({ text: (name) => options[name], flag: () => false }, () => {});
    await expect(command({ TARGET: moved }, "wrong words")).rejects.toThrow("neither the passphrase");
    await expect(command({ TARGET: moved, version: "1.2.2" })).rejects.toThrow("Install 1.2.3 or newer");
    await expect(command({ TARGET: makeScratch("nothing") })).rejects.toThrow("no Orrery repository");
    await expect(command({ TARGET: moved, backup: "bak_none" })).rejects.toThrow("no backup bak_none");
    expect(existsSync(folder)).toBe(false);
    expect(await command({ TARGET: moved })).toBe(0);
    await expect(command({ TARGET: moved })).rejects.toThrow("is not empty");

    node = await startEngineNode({ socket: engine.socket, dataDir: folder });
    expect((await node.call("GET /api/auth/me")).status).toBe(200);
    await until(
      async () => {
        await node.ctx.jobs.run("backups.go_on");
        const halts = node.ctx.db.raw.query("SELECT 1 FROM backup_halts UNION SELECT 1 FROM backup_restores").all();
        return halts.length === 0 || null;
      },
      { timeoutMs: 90_000 },
    );
    await node.untilStatus(id, "running", 60_000);
    expect(await describe()).toBe(before);
    const [backup] = (await node.call("GET /api/backups")).body;
    expect([backup.status, backup.made_by]).toEqual(["completed", null]);
    expect((await node.call(`POST /api/backup/targets/${away}/test`)).body.ok).toBe(true);
  });
});
