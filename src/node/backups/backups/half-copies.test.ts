import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addTarget, get, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { serveEngine } from "../../../../tests/kit/serve-socket.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days } from "../../../lib/duration.ts";
import { entryHeaders, tarEnd } from "../engine/index.ts";
import { KEY_FILE } from "./objects-parts.ts";
import { restoreNode } from "./restore-node.ts";
import { deleteRestore, HALF, insertRestore } from "./store.ts";

const PHOTOS = "app_photos";
const NOTES = "app_notes";
const PLAN = {
  ...{ name: "Nightly", enabled: true, cron: "30 3 * * *", jitter_minutes: 0, apps: null, include_config: true },
  keep: { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 },
};

let node: TestNode;
let server: { stop(now: boolean): unknown };
let target: string;
let path: string;
/** Apps whose volumes the engine does not have. */
let lost: string[];

const PLACE = { link: null, size: 0, mode: 0o755, uid: 0, gid: 0, time: "0", attributes: [] };
const archive = () => Buffer.concat([entryHeaders({ ...PLACE, type: "folder", name: Buffer.from("data/") }), tarEnd()]);

/** An engine that has the volumes of the apps, with nothing in them. */
function answer(request: Request, asked: string): Response {
  if (asked === "/volumes") {
    const labels: string[] = JSON.parse(new URL(request.url).searchParams.get("filters") ?? "{}").label ?? [];
    const app = labels.join().replace(/^[^=]*=/, "");
    const here = node.ctx.apps.list().filter(({ id }) => id === app && !lost.includes(id));
    const sources = here.flatMap(({ id }) => node.ctx.apps.volumesOf(id).map(({ source }) => source));
    return Response.json({ Volumes: sources.map((Name) => ({ Name, Driver: "nfs", Mountpoint: "", Labels: {} })) });
  }
  if (asked === "/containers/create") return Response.json({ Id: "made" }, { status: 201 });
  if (asked.endsWith("/archive")) return new Response(archive());
  if (asked.startsWith("/images/")) return Response.json({ Id: "sha256:1" });
  if (request.method === "DELETE") return new Response(null, { status: 204 });
  return Response.json([]);
}

beforeEach(async () => {
  lost = [];
  const unix = join(makeScratch("half-engine"), "docker.sock");
  server = serveEngine(unix, answer);
  node = createTestNode({ docker_socket: unix });
  const { manifest } = await node.ctx.templates.load("whoami");
  const volumes = [{ name: "data", description: "What it has", backup: true }];
  const live = { manifest: JSON.stringify({ ...manifest, volumes, backup: { consistency: "live" } }) };
  for (const name of ["photos", "notes"]) await seedApp(node, name, live);
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
  ({ id: target, path } = await addTarget(node));
});
afterEach(() => {
  node.close();
  server.stop(true);
});

async function over(opId: string): Promise<string> {
  return await until(async () => {
    await node.clock.advance(500);
    const { status } = node.ctx.operations.get(opId);
    return status === "running" ? null : status;
  });
}
const list = async (): Promise<Record<string, unknown>[]> => await get(node, "/api/backups");
const find = async (id: unknown) => (await list()).find((one) => one["id"] === id);
const listAt = async (at: string) => (await list()).filter((one) => one["target"] === at).map(({ id }) => String(id));

async function backUp(to: string, apps: string[]) {
  const { body } = await post(node, "/api/backups", { target: to, apps, include_config: false });
  expect(await over(body.op_id)).toBe("done");
  return await find(body.id);
}

/** Lets a night pass and the plan run; the id of what it made. */
async function passNight(): Promise<string> {
  node.clock.jump(days(1));
  const before = new Set(await listAt(target));
  const made = async () => (await list()).find(({ id, plan }) => plan !== null && !before.has(String(id)));
  await node.ctx.jobs.run("backups.begin_due");
  const backup = await until(async () => (await made()) ?? null);
  expect(await over(String(backup["op_id"]))).toBe("done");
  return String(backup["id"]);
}

/** Photos are being put back from a backup at another target, which has gone away. */
async function makeHalf(): Promise<void> {
  const away = await addTarget(node, makeScratch("away"), { name: "away" });
  const from = await backUp(away.id, [PHOTOS]);
  renameSync(away.path, `${away.path}.away`);
  const row = { backup_id: String(from?.["id"]), user_id: "u", ip: "", source: null, op_id: null, begun: HALF };
  node.ctx.db.tx(() => insertRestore(node.ctx.db, { app_id: PHOTOS, ...row }));
}

async function verify(id: string): Promise<void> {
  const { body } = await post(node, `/api/backups/${id}/verify`);
  await over(body.op_id);
}

test("the last whole copy stays for as long as an app is half, and goes when a whole one has come", async () => {
  await post(node, "/api/backup/plans", { ...PLAN, target });
  const whole = await passNight();
  await makeHalf();
  const half = await passNight();
  expect((await find(half))?.["half"]).toEqual([PHOTOS]);
  expect((await find(whole))?.["half"]).toEqual([]);
  const later = await passNight();
  expect(await listAt(target)).toEqual([later, whole]);
  node.ctx.db.tx(() => deleteRestore(node.ctx.db, PHOTOS));
  const last = await passNight();
  expect(await listAt(target)).toEqual([last]);
});

test("a half copy that was read back is not what is known to be good of its app", async () => {
  await post(node, "/api/backup/plans", { ...PLAN, target });
  const whole = await passNight();
  await verify(whole);
  const proven = async () => {
    await node.clock.advance(6000);
    return (await get(node, "/api/system/overview")).backup.last_verified_at;
  };
  const at = await proven();
  await makeHalf();
  const half = await passNight();
  await verify(half);
  expect((await find(half))?.["verified_at"]).not.toBeNull();
  expect(await proven()).toBe(at);
  const told = node.events.filter(({ name }) => name === "backup.verified").map(({ data }) => data);
  expect(told.at(-1)).toEqual({ backup_id: half, damage: null, half: [PHOTOS] });
  node.ctx.db.tx(() => deleteRestore(node.ctx.db, PHOTOS));
  // Each stays for what is proven by it: the one for photos, the other for all else.
  const last = await passNight();
  expect(await listAt(target)).toEqual([last, half, whole]);
});

test("an app is started from the newest copy that has all of it", async () => {
  const whole = await backUp(target, [PHOTOS]);
  await makeHalf();
  const half = await backUp(target, [PHOTOS, NOTES]);
  const tried = async () => {
    const tests: { app: string; backup_id: string | null }[] = await get(node, "/api/backup/start-tests");
    return Object.fromEntries(tests.map(({ app, backup_id }) => [app, backup_id]));
  };
  await verify(String(half?.["id"]));
  expect(await tried()).toEqual({ [PHOTOS]: null, [NOTES]: String(half?.["id"]) });
  node.ctx.db.raw.run("DELETE FROM backups WHERE target <> ?", [target]);
  const { body } = await post(node, `/api/backup/start-tests/${PHOTOS}`);
  await over(body.op_id);
  expect((await tried())[PHOTOS]).toBe(String(whole?.["id"]));
});

test("the plan of a restore and its operation say which apps are half in the backup", async () => {
  const whole = await backUp(target, [PHOTOS, NOTES]);
  await makeHalf();
  const half = await backUp(target, [PHOTOS, NOTES]);
  const notesOf = async (id: unknown) => {
    const { body } = await post(node, `/api/backups/${id}/restore/plan`, { apps: [PHOTOS, NOTES] });
    return body.apps.map(({ notes }: { notes: string[] }) => notes.filter((note) => note.startsWith("Not all")));
  };
  expect(await notesOf(whole?.["id"])).toEqual([[], []]);
  const said = "Not all of photos was there when this backup was made, so what comes back of it may not be whole.";
  expect(await notesOf(half?.["id"])).toEqual([[said], []]);
  const { body } = await post(node, `/api/backups/${half?.["id"]}/restore`, { apps: [PHOTOS] });
  await over(body.op_id);
  const events = node.ctx.db.raw.query("SELECT * FROM operation_events WHERE operation_id = ?").all(body.op_id);
  expect(JSON.stringify(events)).toContain(said);
});

test("a copy without volumes that an app has lost is half, too, and a server that finds it knows", async () => {
  await backUp(target, [PHOTOS, NOTES]);
  lost = [NOTES];
  const half = await backUp(target, [PHOTOS, NOTES]);
  const said = "notes had lost data when this backup was made: without its volume data.";
  expect([half?.["half"], half?.["notes"]]).toEqual([[NOTES], [said]]);
  const { recovery_key } = await get(node, `/api/backup/targets/${target}/kit`);
  const other = createTestNode();
  await addTarget(other, path, { recovery_key });
  const found: { half: string[]; notes: string[] }[] = await get(other, "/api/backups");
  const note = "Not all of notes was there when this backup was made, so what comes back of it may not be whole.";
  expect(found.map(({ half: ids }) => ids).toSorted()).toEqual([[], [NOTES]]);
  expect(found.flatMap(({ notes }) => notes)).toEqual([note]);
  other.close();
});

test("a node that is brought back says before which apps are half in its backup, and knows it later", async () => {
  writeFileSync(join(node.ctx.config.data_dir, KEY_FILE), Buffer.alloc(32, 7).toString("base64"));
  lost = [NOTES];
  const { body } = await post(node, "/api/backups", { target, apps: [PHOTOS, NOTES], include_config: true });
  expect(await over(body.op_id)).toBe("done");
  const { recovery_key } = await get(node, `/api/backup/targets/${target}/kit`);
  const folder = join(makeScratch("back"), "data");
  const said: string[] = [];
  await restoreNode({
    ...{ place: { type: "local", path }, typed: recovery_key, backup: null, folder, version: "0.0.0-dev" },
    ...{ clock: node.clock, print: (line) => said.push(line), migrate: () => {}, along: () => {} },
  });
  expect(said.at(-1)).toStartWith("Not all of notes was there when this backup was made");
  const back = new Database(join(folder, "main.db"), { readonly: true });
  expect(back.query("SELECT half FROM backups WHERE id = ?").get(body.id)).toEqual({ half: JSON.stringify([NOTES]) });
  back.close();
});
