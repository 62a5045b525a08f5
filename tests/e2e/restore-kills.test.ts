import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { type AppsNode, startAppsNode } from "../kit/apps.ts";
import { docker, labelled } from "../kit/docker.ts";
import { ENGINE_SOCKET } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { makeScratch } from "../kit/scratch.ts";
import { startTripwire, type TripMode, type Tripwire } from "../kit/tripwire.ts";
import { until } from "../kit/until.ts";

/** Kills of each kind of restore, spread over all that it asks of the engine. One alone is where the data itself is in the air. */
const KILLS = Number(Bun.env["RESTORE_KILLS"] ?? 1);

interface Kill {
  isIt: (question: string, at: number) => boolean;
  how: TripMode;
  /** Whether what was begun is bound to go on from there. */
  goesOn?: true;
}

const isFilling = (question: string): boolean => question.startsWith("PUT ") && question.endsWith("/archive");
const MIDDLE: Kill = { isIt: isFilling, how: "half", goesOn: true };
/** When all data is there and the app comes up. */
function atLastStart(): Kill {
  let isFilled = false;
  return {
    isIt(question) {
      isFilled ||= isFilling(question);
      return isFilled && /^POST \/containers\/[^/]+\/start$/.test(question);
    },
    how: "unheard",
    goesOn: true,
  };
}
const HOWS = ["lost", "half", "unheard"] as const;
const never = () => false;

suite("restores that are cut off", ["docker", "registry", "images"], () => {
  let wire: Tripwire;
  let apps: AppsNode;
  let id: string;
  let name: string;
  let path: string;
  let backup: string;
  let before: string;

  const shell = (container: string, script: string) =>
    docker("exec", "-u", "0", `orrery-${container}-web`, "sh", "-c", script);
  /** All that an app has, in words; what it writes by itself is left out. */
  const describe = (app: string) =>
    shell(
      app,
      "cd /data && find kept -exec stat -c '%n %F %a %u:%g %Y' {} + | sort; find kept -type f -exec md5sum {} + | sort",
    );
  const operation = (opId: string) => apps.owner.ok(`GET /api/operations/${opId}`);
  const untilOver = (opId: string) =>
    until(async () => (await operation(opId)).status !== "running" && (await operation(opId)), { timeoutMs: 60_000 });
  /** What is written down of work that has to go on. */
  const pending = () => {
    const db = new Database(join(apps.node.dataDir, "main.db"), { readonly: true });
    const rows = db
      .query(
        "SELECT app_id FROM backup_restores UNION ALL SELECT app_id FROM backup_put_backs UNION ALL SELECT app_id FROM backup_halts",
      )
      .all();
    db.close();
    return rows.length;
  };
  /** Until nothing is under way any more and the app runs. */
  async function settled(app: string): Promise<void> {
    await until(() => pending() === 0, { timeoutMs: 60_000, what: "the restore to be over" });
    await apps.reaches(app, "running", 60_000);
  }
  const listApps = async (): Promise<{ id: string; name: string; status: string }[]> =>
    await apps.owner.ok("GET /api/apps");

  /** Makes what is there now other than what is in the backup. */
  async function change(): Promise<string> {
    await shell(
      name,
      "cd /data && rm -rf kept && mkdir kept && head -c 300000 /dev/urandom >kept/now && date +%N >kept/letter",
    );
    return await describe(name);
  }

  beforeAll(async () => {
    wire = await startTripwire(join(makeScratch("wire"), "docker.sock"), ENGINE_SOCKET);
    apps = await startAppsNode({ ORRERY_DOCKER_SOCKET: wire.path });
    name = apps.freshName("fire");
    ({ id } = await apps.installed("test-web", name));
    await apps.reaches(id, "running");
    await shell(
      name,
      "cd /data && mkdir -p kept/deep && head -c 4000000 /dev/urandom >kept/deep/big && echo old >kept/letter && ln -s letter kept/link",
    );
    before = await describe(name);
    path = join(makeScratch("fire"), "disk");
    await Bun.$`mkdir -p ${path}`.quiet();
    const target = await apps.owner.ok("POST /api/backup/targets", { type: "local", name: "disk", path });
    const made = await apps.owner.ok("POST /api/backups", { target: target.id, apps: [id], include_config: false });
    backup = made.id;
    expect((await untilOver(made.op_id)).status).toBe("done");
    const { op_id } = await apps.owner.ok(`POST /api/backups/${backup}/browse`);
    if (op_id !== null) await untilOver(op_id);
    await settled(id);
  });
  afterAll(async () => {
    await apps?.dispose();
    await wire?.close();
  });

  /**
   * Begins some work, kills the node at that question, and answers the work's operation once all is settled. Work that asks less than the
   * last time is over before its point comes, and is not cut off.
   */
  async function killAt({ isIt, how }: Kill, begin: () => Promise<{ op_id: string }>) {
    const dead = Promise.withResolvers<void>();
    wire.watch(isIt, how, () => void apps.node.kill().then(dead.resolve));
    const { op_id } = await begin();
    const cut = dead.promise.then(() => true);
    const isCut = await Promise.race([
      cut,
      untilOver(op_id).then(
        () => false,
        () => cut,
      ),
    ]);
    wire.watch(never, "seen", () => {});
    if (isCut) await apps.comeBack();
    await settled(id);
    return op_id;
  }

  /** Where some work is to be cut off; more than one are known once it was done whole. */
  async function pointsOf(begin: () => Promise<{ op_id: string }>): Promise<Kill[]> {
    if (KILLS === 1) return [MIDDLE, atLastStart()];
    wire.watch(never, "seen", () => {});
    const { op_id } = await begin();
    expect((await untilOver(op_id)).status).toBe("done");
    await settled(id);
    const all = wire.asked.flatMap((_, at) =>
      HOWS.map((how) => ({ isIt: (_: string, now: number) => now === at, how })),
    );
    return all.filter(
      (_, index) => Math.floor(((index + 1) * KILLS) / all.length) > Math.floor((index * KILLS) / all.length),
    );
  }

  const over = () => apps.owner.ok(`POST /api/backups/${backup}/restore`, { apps: [id] });

  test("kill -9 while an app is put back: it has all of one state, runs, and its operation says how it ended", async () => {
    await change();
    for (const point of await pointsOf(over)) {
      const now = await change();
      const opId = await killAt(point, over);
      const found = await describe(name);
      // Cut off before anything was promised it is begun by hand again; from then on it goes on by itself.
      expect([before, now]).toContain(found);
      if (found === before) expect((await untilOver(opId)).status).toBe("done");
      if (point.goesOn) expect(found).toBe(before);
    }
    const left = await labelled(`orrery.app=${id}`);
    expect([left.containers.length, left.volumes.length]).toEqual([1, 1]);
  }, 3_600_000);

  test("kill -9 while a folder is put back over what is there: all of it comes", async () => {
    const [{ volume }] = await apps.owner.ok(`GET /api/backups/${backup}/volumes`);
    const body = { app: id, volume, path: "kept", mode: "over", dry_run: false };
    const putBack = () => apps.owner.ok(`POST /api/backups/${backup}/put-back`, body);
    await change();
    for (const point of await pointsOf(putBack)) {
      const now = await change();
      const opId = await killAt(point, putBack);
      const found = await shell(
        name,
        "cd /data && find kept -name now -o -name big | sort | tr '\\n' ' '; cat kept/letter",
      );
      const isBack = found.includes("old");
      if (!isBack) expect(await describe(name)).toBe(now);
      // What came since stays.
      else expect(found.trim()).toBe("kept/deep/big kept/now old");
      if (point.goesOn) expect(isBack).toBe(true);
      if (isBack) expect((await untilOver(opId)).status).toBe("done");
    }
  }, 3_600_000);

  test("kill -9 while an app is put back beside another: there is a whole one or none, and the other is not touched", async () => {
    const startedAt = () => docker("inspect", "-f", "{{.State.StartedAt}}", `orrery-${name}-web`);
    const drop = async () => {
      for (const app of (await listApps()).filter((one) => one.id !== id)) {
        await apps.owner.call(`DELETE /api/apps/${app.id}?delete_data=true`);
        await until(async () => (await listApps()).length === 1, { timeoutMs: 30_000 });
      }
    };
    let count = 0;
    const beside = () => {
      count += 1;
      const body = { mode: "beside", apps: [id], name: `${name}-b${count}` };
      return apps.owner.ok(`POST /api/backups/${backup}/restore`, body);
    };
    const points = await pointsOf(beside);
    await drop();
    for (const point of points) {
      const untouched = [await startedAt(), await describe(name)];
      const opId = await killAt(point, beside);
      const [made] = (await listApps()).filter((one) => one.id !== id);
      if (point.goesOn) expect(made?.name).toBe(`${name}-b${count}`);
      if (made) {
        apps.adopt(made.id);
        await apps.reaches(made.id, "running", 60_000);
        expect(await describe(made.name)).toBe(before);
        expect((await untilOver(opId)).status).toBe("done");
      }
      expect([await startedAt(), await describe(name)]).toEqual(untouched);
      await drop();
    }
  }, 3_600_000);

  test("a target that vanishes in the middle leaves the app stopped and says so; it goes on when the target is back; two at once are refused", async () => {
    await change();
    const away = `${path}.away`;
    // With the old volume goes the target: from here on the data is in the air.
    wire.watch(
      (question) => question.startsWith("DELETE /volumes/"),
      "seen",
      () => renameSync(path, away),
    );
    const first = await over();
    const second = await apps.owner.call(`POST /api/backups/${backup}/restore`, { apps: [id] });
    expect([second.status, second.body.code]).toEqual([409, "backup_busy"]);
    expect(second.body.message).toContain("Wait until it is through");
    const { status, error } = await untilOver(first.op_id);
    expect([status, error.code]).toEqual(["failed", expect.stringMatching(/^backup_target_/)]);
    expect(error.message).toContain(`${name} stays stopped until its data is whole.`);
    expect(error.next_step).toContain("goes on by itself");
    expect((await apps.owner.ok(`GET /api/apps/${id}`)).status).toBe("stopped");
    const [{ id: target }] = await apps.owner.ok("GET /api/backup/targets");
    const refused = await apps.owner.call(`DELETE /api/backup/targets/${target}`);
    expect([refused.status, refused.body.code]).toEqual([409, "backup_target_needed"]);
    renameSync(away, path);
    await settled(id);
    expect(await describe(name)).toBe(before);
  });
});
