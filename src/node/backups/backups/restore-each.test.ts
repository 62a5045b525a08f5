import { afterEach, beforeEach, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { addTarget, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { serveEngine } from "../../../../tests/kit/serve-socket.ts";
import { until } from "../../../../tests/kit/until.ts";
import { minutes } from "../../../lib/duration.ts";
import { APP_LABEL } from "../../apps/apps/index.ts";
import { entryHeaders, tarEnd } from "../engine/index.ts";

let node: TestNode;
let server: { stop(now: boolean): unknown };
let target: { id: string; path: string };
let backup: string;
/** Volumes of Docker by their names, with the app of each. */
let volumes: Map<string, string>;
/** Apps of which no container can be made. */
let broken: string[];
/** Names of containers of others, by the volume that they have. */
let others: Map<string, string>;

const refuse = (status: number, message: string) => Response.json({ message }, { status });
const PLACE = { link: null, size: 0, mode: 0o755, uid: 0, gid: 0, time: "0", attributes: [] };
const folder = () => entryHeaders({ ...PLACE, type: "folder", name: Buffer.from("data/") });

/** An engine that keeps volumes, and reads and fills them through containers. */
async function answer(request: Request, path: string): Promise<Response> {
  const url = new URL(request.url);
  if (path === "/volumes") {
    const labels: string[] = JSON.parse(url.searchParams.get("filters") ?? "{}").label ?? [];
    const isAsked = (app: string) => labels.every((label) => !label.startsWith(APP_LABEL) || label.endsWith(`=${app}`));
    const found = [...volumes].filter(([, app]) => isAsked(app));
    // Elsewhere than on this machine, so that they are read through the engine.
    return Response.json({ Volumes: found.map(([Name]) => ({ Name, Driver: "nfs", Mountpoint: "", Labels: {} })) });
  }
  if (path === "/volumes/create") {
    const { Name, Labels } = (await request.json()) as { Name: string; Labels: Record<string, string> };
    volumes.set(Name, Labels[APP_LABEL] ?? "");
    return Response.json({ Name });
  }
  if (path === "/containers/json")
    return Response.json(
      [...others].map(([Name, name]) => ({ Id: name, Names: [`/${name}`], Mounts: [{ Type: "volume", Name }] })),
    );
  if (request.method === "DELETE" && others.has(path.slice("/volumes/".length))) return refuse(409, "volume is in use");
  if (request.method === "DELETE") {
    if (path.startsWith("/volumes/")) volumes.delete(path.slice("/volumes/".length));
    return new Response(null, { status: 204 });
  }
  if (path === "/containers/create") {
    const name = url.searchParams.get("name") ?? "";
    const isBroken = broken.some((app) => name.includes(app));
    return isBroken ? refuse(404, "No such image: it") : Response.json({ Id: name }, { status: 201 });
  }
  if (path.endsWith("/archive")) {
    await request.arrayBuffer();
    return new Response(Buffer.concat([folder(), tarEnd()]));
  }
  return path.startsWith("/images/") ? Response.json({ Id: "sha256:1" }) : Response.json([]);
}

const sourceOf = (name: string) => node.ctx.apps.volumesOf(`app_${name}`)[0]?.source ?? "";
const hasData = (name: string) => volumes.has(sourceOf(name));
const pending = () =>
  node.ctx.db.raw
    .query<{ app_id: string }, []>("SELECT app_id FROM backup_restores ORDER BY app_id")
    .all()
    .map(({ app_id }) => app_id);

beforeEach(async () => {
  [volumes, broken, others] = [new Map(), [], new Map()];
  const unix = join(makeScratch("restore-engine"), "docker.sock");
  server = serveEngine(unix, answer);
  node = createTestNode({ docker_socket: unix });
  const { manifest } = await node.ctx.templates.load("whoami");
  const data = [{ name: "data", description: "What it has", backup: true }];
  const own = JSON.stringify({ ...manifest, volumes: data, backup: { consistency: "live" } });
  for (const name of ["photos", "notes", "wiki"]) {
    await seedApp(node, name, { manifest: own });
    volumes.set(sourceOf(name), `app_${name}`);
  }
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
  target = await addTarget(node);
  const apps = ["app_photos", "app_notes", "app_wiki"];
  const made = await post(node, "/api/backups", { target: target.id, apps, include_config: false });
  backup = made.body.id;
  expect((await end(made.body.op_id)).status).toBe("done");
});
afterEach(() => {
  node.close();
  server.stop(true);
});

/** How an operation ends, while time passes. */
const end = (opId: string) =>
  until(async () => {
    await node.clock.advance(500);
    const operation = node.ctx.operations.get(opId);
    return operation.status === "running" ? null : operation;
  });
async function restore() {
  const { op_id } = (await post(node, `/api/backups/${backup}/restore`)).body;
  const { error } = await end(op_id);
  const texts = node.ctx.db.raw
    .query<{ event: string }, [string]>("SELECT event FROM operation_events WHERE operation_id = ? ORDER BY seq")
    .all(op_id);
  const ends = texts
    .map(({ event }) => JSON.parse(event))
    .filter(({ status }) => status === "done" || status === "failed");
  const steps = Object.fromEntries(
    ends.flatMap(({ step, status }) => (step === null ? [] : [[step.replace(/^.*app_/, ""), status]])),
  );
  return { error, steps };
}
/** What is tried again in ten minutes. */
async function tryAgain(): Promise<void> {
  await node.clock.advance(minutes(10));
  await node.ctx.jobs.run("backups.go_on");
  const after = await until(async () => {
    await node.clock.advance(500);
    const { body } = await post(node, "/api/backups", { target: target.id, apps: [], include_config: true });
    return body.op_id ?? null;
  });
  await end(after);
}
const restored = () =>
  node.events.filter(({ name }) => name === "backup.restored").map(({ data }) => (data as { apps: string[] }).apps);

test("an app that cannot be put back is named with why, keeps none of the others waiting, and comes back later", async () => {
  volumes.clear();
  broken = ["photos"];
  const { error, steps } = await restore();
  expect(error).toEqual({
    code: "backup_failed",
    message: "No such image: it. photos stays stopped until its data is whole. All else is put back.",
    next_step: expect.stringContaining("tried again every ten minutes"),
  });
  expect(steps).toEqual({ before: "done", photos: "failed", notes: "done", wiki: "done" });
  expect([hasData("notes"), hasData("wiki"), restored()]).toEqual([true, true, [["app_notes", "app_wiki"]]]);
  expect(pending()).toEqual(["app_photos"]);
  const photos = () => node.ctx.apps.get("app_photos");
  const change = (status: string) =>
    node.ctx.db.raw.query("UPDATE apps SET status = ? WHERE id = 'app_photos'").run(status);
  const ask = (way: string, body?: object) => post(node, `/api/apps/app_photos/${way}`, body);
  const refusals = ["start", "restart", "update", "rollback", "retry"];
  for (const status of ["stopped", "error"]) {
    change(status);
    for (const way of refusals.slice(0, status === "error" ? undefined : -1)) {
      const refused = await ask(way);
      expect([way, refused.status, refused.body.code]).toEqual([way, 409, "app_busy"]);
      expect(refused.body.message).toMatch(
        /^photos has not all of its data yet: it is being put back from the backup of 2026-01-01 00:0\d UTC/,
      );
    }
  }
  const changed = await node.call("PUT /api/apps/app_photos/config", { as: "admin", body: { publish: "lan" } });
  expect([changed.body.code, photos().status]).toEqual(["app_busy", "error"]);
  change("stopped");
  const wish = { target: target.id, apps: ["app_photos", "app_notes"], include_config: false };
  broken = [];
  const copy = (await post(node, "/api/backups", wish)).body;
  await end(copy.op_id);
  const made = (await node.call("GET /api/backups", { as: "admin" })).body[0];
  expect([made.id, made.notes]).toEqual([
    copy.id,
    [expect.stringMatching(/^photos was being put back from .* whole\.$/)],
  ]);
  await tryAgain();
  expect([hasData("photos"), pending(), restored().at(-1)]).toEqual([true, [], ["app_photos"]]);
  expect((await ask("start")).body.status).toBe("starting");
});

test("an app whose volume another container has is refused with its name before anything of it is touched", async () => {
  others.set(sourceOf("photos"), "browser");
  const { error, steps } = await restore();
  expect(error?.message).toStartWith("Other containers have the data of photos, too: browser. Remove them first;");
  expect(error?.message).toEndWith("All else is put back.");
  expect(steps).toEqual({ before: "done", photos: "failed", notes: "done", wiki: "done" });
  expect([hasData("photos"), pending(), restored()]).toEqual([true, [], [["app_notes", "app_wiki"]]]);
  others.clear();
  expect((await restore()).error).toBe(null);
});

test("apps that have lost everything are put back once their target is there again; cancelled, they are not", async () => {
  volumes.clear();
  const { body } = await post(node, `/api/backups/${backup}/restore`);
  const before = (await node.call("GET /api/backups", { as: "admin" })).body[0];
  expect((await post(node, `/api/backups/${before.id}/cancel`)).status).toBe(200);
  expect((await end(body.op_id)).error?.code).toBe("backup_cancelled");
  expect(pending()).toEqual([]);
  renameSync(target.path, `${target.path}-away`);
  const { error } = await restore();
  expect(error?.message).toEndWith("Stopped until their data is whole: photos, notes, wiki.");
  expect(pending()).toEqual(["app_notes", "app_photos", "app_wiki"]);
  renameSync(`${target.path}-away`, target.path);
  await tryAgain();
  expect([pending(), volumes.size]).toEqual([[], 3]);
});

test("of several apps one that cannot be backed up before stays as it is, and the others are put back", async () => {
  broken = ["photos"];
  const { error, steps } = await restore();
  expect(error?.message).toBe(
    "What is there now could not be backed up, so nothing was changed: photos: No such image: it. All else is put back.",
  );
  expect(steps).toEqual({ before: "failed", photos: "failed", notes: "done", wiki: "done" });
  expect([pending(), restored()]).toEqual([[], [["app_notes", "app_wiki"]]]);
});

test("an app of which half is there stays half where it is put back from another backup and that fails", async () => {
  volumes.clear();
  broken = ["photos"];
  await restore();
  broken = [];
  rmSync(join(target.path, "snapshots", backup));
  const { error } = await restore();
  expect([error?.code, pending()]).toEqual(["backup_missing", ["app_photos"]]);
});
