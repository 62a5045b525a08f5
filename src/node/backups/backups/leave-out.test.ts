import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { addTarget, get, post } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";
import { serveEngine } from "../../../../tests/kit/serve-socket.ts";
import { until } from "../../../../tests/kit/until.ts";
import { entryHeaders, tarEnd } from "../engine/index.ts";

let node: TestNode;
let target: string;
let server: { stop(now: boolean): unknown };
/** What the engine answers for the containers and the archives of `photos`. */
let trouble: (path: string) => Response | null;

const refuse = (status: number, message: string) => Response.json({ message }, { status });
const PLACE = { link: null, size: 0, mode: 0o755, uid: 0, gid: 0, time: "0", attributes: [] };
const folder = () => entryHeaders({ ...PLACE, type: "folder", name: Buffer.from("data/") });

/** An engine that knows the volumes of the apps, and lets everything be read that `trouble` leaves. */
function answer(request: Request, path: string): Response {
  const url = new URL(request.url);
  if (path === "/volumes") {
    const labels: string[] = JSON.parse(url.searchParams.get("filters") ?? "{}").label ?? [];
    const asked = labels.join().replace(/^[^=]*=/, "");
    const sources = node.ctx.apps
      .list()
      .filter(({ id }) => id === asked)
      .flatMap(({ id }) => node.ctx.apps.volumesOf(id).map(({ source }) => source));
    // Elsewhere than on this machine, so that it is read through the engine.
    return Response.json({ Volumes: sources.map((Name) => ({ Name, Driver: "nfs", Mountpoint: "", Labels: {} })) });
  }
  const isOfPhotos = `${path}${url.searchParams.get("name") ?? ""}`.includes("photos");
  const known = isOfPhotos ? trouble(path) : null;
  if (known) return known;
  if (path === "/containers/create")
    return Response.json({ Id: `made-${isOfPhotos ? "photos" : "notes"}` }, { status: 201 });
  if (path.endsWith("/archive")) return new Response(Buffer.concat([folder(), tarEnd()]));
  if (path.startsWith("/images/")) return Response.json({ Id: "sha256:1" });
  if (request.method === "DELETE") return new Response(null, { status: 204 });
  return Response.json([]);
}

beforeEach(async () => {
  trouble = () => null;
  const unix = join(makeScratch("backup-engine"), "docker.sock");
  server = serveEngine(unix, answer);
  node = createTestNode({ docker_socket: unix });
  for (const name of ["photos", "notes"]) await seedApp(node, name, await live());
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine());
  target = (await addTarget(node)).id;
});
afterEach(() => {
  node.close();
  server.stop(true);
});

/** An app that is copied while it goes on, and has one volume. */
async function live() {
  const { manifest } = await node.ctx.templates.load("whoami");
  const volumes = [{ name: "data", description: "What it has", backup: true }];
  return { manifest: JSON.stringify({ ...manifest, volumes, backup: { consistency: "live" } }) };
}
async function backUp(apps: string[]) {
  const { body } = await post(node, "/api/backups", { target, apps, include_config: true });
  const status = await until(async () => {
    await node.clock.advance(500);
    const { status: now } = node.ctx.operations.get(body.op_id);
    return now === "running" ? null : now;
  });
  const { error } = node.ctx.operations.get(body.op_id);
  const made = (await get(node, "/api/backups")).find(({ id }: { id: string }) => id === body.id);
  return { status, error, made };
}
const BOTH = ["app_photos", "app_notes"];

test("both are in it where nothing is in the way", async () => {
  expect(await backUp(BOTH)).toMatchObject({ status: "done", made: { status: "completed", apps: BOTH } });
});

test.each<[string, (path: string) => Response | null, string]>([
  [
    "files become shorter while they are copied",
    (path) => (path.endsWith("/archive") ? new Response(folder()) : null),
    "photos: Files in data became shorter each time they were copied. Choose that the app is paused meanwhile.",
  ],
  [
    "what is read of it is no archive",
    (path) => (path.endsWith("/archive") ? new Response(Buffer.alloc(2048, 7)) : null),
    "photos: Files in data became shorter each time they were copied. Choose that the app is paused meanwhile.",
  ],
  [
    "the engine does not read it",
    (path) => (path.endsWith("/archive") ? refuse(409, "it is being removed") : null),
    "photos: it is being removed",
  ],
  [
    "the engine fails at its container alone",
    (path) => (path === "/containers/create" ? refuse(500, "its driver is broken") : null),
    "photos: its driver is broken",
  ],
])("an app is left out where %s, and the others and the settings are kept", async (_, refusal, why) => {
  trouble = refusal;
  const { status, error, made } = await backUp(BOTH);
  expect([status, made.status, made.apps]).toEqual(["failed", "completed", ["app_notes"]]);
  expect(error?.message).toBe(`${why}${why.endsWith(".") ? "" : "."} All else is in the backup.`);
  expect(made.notes).toEqual([`Without ${why}`]);
  const named = (name: string) => node.events.filter((event) => event.name === name).map(({ data }) => data);
  expect(named("backup.app_left_out")).toMatchObject([{ app_id: "app_photos", cause: why }]);
  expect(named("backup.app_stored")).toMatchObject([{ app_id: "app_notes" }]);
  expect(named("backup.failed")).toMatchObject([{ apps: ["app_photos"] }]);
});

test("a full disk of the engine is the server's fault, and ends the backup", async () => {
  trouble = (path) => (path === "/containers/create" ? refuse(500, "write /x: no space left on device") : null);
  expect(await backUp(BOTH)).toMatchObject({ status: "failed", made: { status: "failed", apps: BOTH } });
});

test("an engine that goes away ends the backup", async () => {
  trouble = () => {
    server.stop(true);
    return null;
  };
  expect(await backUp(BOTH)).toMatchObject({ status: "failed", made: { status: "failed", apps: BOTH } });
});
