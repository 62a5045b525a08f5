import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { startWebdavServer, type WebdavServer } from "../../../../tests/kit/webdav-server.ts";
import { createHttpClient } from "./http-client.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createRepository, openKey } from "./repository.ts";
import { openS3 } from "./s3.ts";
import type { Target, WebdavPlace } from "./target.ts";
import { openWebdav } from "./webdav.ts";

let node: TestNode;
let dav: WebdavServer;
const targets = new Map<string, Target>();
/** No pauses between tries. */
const clock = {
  now: Date.now,
  monotonic: () => 0,
  sleep: async () => {},
  after: () => () => {},
  every: () => () => {},
};
const davPlace = (): WebdavPlace => ({
  type: "webdav",
  url: dav.url,
  username: "ada",
  password: "moon",
  own_ports: [],
});

async function openBucket(): Promise<Target> {
  node = createTestNode({ s3_listen: "127.0.0.1:0" });
  node.ctx.objects.start?.();
  const post = async (path: string, body: object) => (await node.call(`POST ${path}`, { as: "admin", body })).body;
  await post("/api/objects/buckets", { name: "copies" });
  const grants = [{ bucket: "copies", read: true, write: true, owner: false }];
  const { access_key, secret_key } = await post("/api/objects/access-keys", { name: "backups", grants });
  await node.ctx.objects.settled();
  const endpoint = (await node.call("GET /api/objects/endpoint", { as: "admin" })).body.url;
  const place = { endpoint, region: "us-east-1", bucket: "copies", prefix: "here/", access_key, secret_key };
  return openS3({ type: "s3", ...place, own_ports: [] }, createHttpClient(clock, []), node.clock);
}

beforeAll(async () => {
  dav = startWebdavServer();
  let count = 0;
  targets.set("local", openLocalFolder(makeScratch("place")));
  targets.set("s3", await openBucket());
  targets.set(
    "webdav",
    openWebdav(davPlace(), createHttpClient(clock, []), () => {
      count += 1;
      return `new-${count}`;
    }),
  );
});
afterAll(async () => {
  await dav.stop();
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
});

const codeOf = (task: Promise<unknown>) =>
  task.then(
    () => "done",
    ({ code }: { code?: string }) => code,
  );

test.each([["local"], ["s3"], ["webdav"]])("a repository can lie in a place of the type %s", async (type) => {
  const target = targets.get(type);
  if (!target) throw new Error("no such target");
  const bytes = Buffer.from("0123456789");
  expect(await target.list("packs")).toEqual([]);
  expect(await codeOf(target.read("packs/ab/none"))).toBe("target_missing");
  await target.write("packs/ab/two", bytes);
  await target.write("packs/ab/one", Buffer.from("x"));
  await target.write("packs/cd/big", Buffer.alloc(300_000, 7));
  await target.write("snapshots/s", bytes);
  expect(await codeOf(target.write("packs/ab/two", Buffer.from("other")))).toBe("target_exists");
  expect(Buffer.from(await target.read("packs/ab/two"))).toEqual(bytes);
  expect(Buffer.from(await target.read("packs/ab/two", { at: 3, length: 4 })).toString()).toBe("3456");
  expect(await codeOf(target.read("packs/ab/two", { at: 8, length: 4 }))).toBe("damaged");
  expect(await target.list("packs")).toEqual([
    { name: "packs/ab/one", size: 1 },
    { name: "packs/ab/two", size: 10 },
    { name: "packs/cd/big", size: 300_000 },
  ]);
  await target.remove("packs/ab/one");
  await target.remove("packs/ab/one");
  expect((await target.list("packs")).length).toBe(2);
  for (const name of ["../up", "/etc/passwd", "a//b", ".hidden", ""])
    expect(await codeOf(target.write(name, bytes))).toBe("target_refused");
  const key = await createRepository(target, "ABCD", null);
  expect(await openKey(target, "ABCD")).toEqual(Buffer.from(key));
});

test("a listing of more than a page is whole", async () => {
  const target = targets.get("s3");
  if (!target) throw new Error("no such target");
  const names = Array.from({ length: 1003 }, (_, index) => `many/${String(index).padStart(4, "0")}`);
  await Promise.all(names.map((name) => target.write(name, Buffer.of(1))));
  expect((await target.list("many")).map(({ name }) => name)).toEqual(names);
}, 60_000);

test("what was done before its answer got lost counts as done", async () => {
  const target = targets.get("webdav");
  if (!target) throw new Error("no such target");
  for (const method of ["MKCOL", "PUT", "MOVE", "GET", "DELETE"]) {
    dav.failNext(method);
    await target.write(`lost-${method}/one`, Buffer.from("a"));
    expect(Buffer.from(await target.read(`lost-${method}/one`)).toString()).toBe("a");
    await target.remove(`lost-${method}/one`);
    expect(await target.list(`lost-${method}`)).toEqual([]);
  }
});

test("a place that is away, a wrong password and an address of this program are told apart", async () => {
  const open = (more: Partial<WebdavPlace>, ports: number[] = []) =>
    openWebdav({ ...davPlace(), ...more }, createHttpClient(clock, ports), () => "new").list("packs");
  expect(await codeOf(open({ password: "sun" }))).toBe("target_refused");
  expect(await codeOf(open({ url: "http://127.0.0.1:1/dav/" }))).toBe("target_away");
  expect(await codeOf(open({ url: "http://169.254.169.254/latest/" }))).toBe("target_away");
  expect(await codeOf(open({}, [Number(new URL(dav.url).port)]))).toBe("target_away");
});

test("a place on this same machine says so once it was asked", async () => {
  const target = targets.get("webdav");
  if (!target) throw new Error("no such target");
  await target.list("packs");
  expect(target.warnings().join()).toContain("this same machine");
});
