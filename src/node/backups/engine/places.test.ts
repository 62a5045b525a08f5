import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type BucketNode,
  davPlace,
  freshNames,
  hastyClient,
  sftpPlace,
  startBucketNode,
} from "../../../../tests/kit/backup-places.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { hasSftpServer, type SftpServer, startSftpServer } from "../../../../tests/kit/sftp-server.ts";
import { makeSshKey } from "../../../../tests/kit/ssh-key.ts";
import { until } from "../../../../tests/kit/until.ts";
import { startWebdavServer, type WebdavServer } from "../../../../tests/kit/webdav-server.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createRepository, openKey } from "./repository.ts";
import { openS3 } from "./s3.ts";
import { openSftp } from "./sftp.ts";
import type { SftpPlace, Target, WebdavPlace } from "./target.ts";
import { openWebdav } from "./webdav.ts";

let bucket: BucketNode;
let dav: WebdavServer;
let ssh: SftpServer | null = null;
const SSH_KEY = makeSshKey();
const targets = new Map<string, Target>();

beforeAll(async () => {
  if (hasSftpServer()) {
    ssh = await startSftpServer(SSH_KEY.public);
    targets.set("sftp", openSftp(await sftpPlace(ssh.port), freshNames()));
  }
  dav = startWebdavServer();
  bucket = await startBucketNode();
  targets.set("local", openLocalFolder(makeScratch("place")));
  targets.set("s3", openS3(await bucket.place("backups", true), hastyClient(), bucket.node.clock));
  targets.set("webdav", openWebdav(davPlace(dav.url), hastyClient(), freshNames()));
});
afterAll(async () => {
  await ssh?.stop();
  await dav.stop();
  await bucket.stop();
});

const codeOf = (task: Promise<unknown>) =>
  task.then(
    () => "done",
    ({ code }: { code?: string }) => code,
  );

test.each([["local"], ["s3"], ["webdav"], ...(hasSftpServer() ? [["sftp"]] : [])])(
  "a repository can lie in a place of the type %s",
  async (type) => {
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
  },
);

test("a listing of more than a page is whole", async () => {
  const target = targets.get("s3");
  if (!target) throw new Error("no such target");
  const names = Array.from({ length: 1003 }, (_, index) => `many/${String(index).padStart(4, "0")}`);
  for (let from = 0; from < names.length; from += 100)
    await Promise.all(names.slice(from, from + 100).map((name) => target.write(name, Buffer.of(1))));
  expect((await target.list("many")).map(({ name }) => name)).toEqual(names);
}, 60_000);

test("a bucket whose key may only read keeps what it has, and takes nothing", async () => {
  const reader = openS3(await bucket.place("reader", false), hastyClient(), bucket.node.clock);
  await targets.get("s3")?.write("packs/kept", Buffer.from("kept"));
  await expect(reader.remove("packs/kept")).rejects.toMatchObject({ code: "target_keeps" });
  await expect(reader.write("packs/more", Buffer.from("more"))).rejects.toMatchObject({ code: "target_refused" });
  expect(Buffer.from(await reader.read("packs/kept")).toString()).toBe("kept");
  await targets.get("s3")?.remove("packs/kept");
});

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
    openWebdav({ ...davPlace(dav.url), ...more }, hastyClient(ports), () => "new").list("packs");
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

test.skipIf(!hasSftpServer())("an SFTP server is known by its key; its user by a password or a key", async () => {
  const place = await sftpPlace(ssh?.port ?? 0);
  expect(place.host_key).toMatch(/^SHA256:[\w+/]{43}$/);
  const open = async (more: Partial<SftpPlace>) => codeOf(openSftp({ ...place, ...more }, () => "new").list("packs"));
  expect(await open({})).toBe("done");
  expect(await open({ password: "", private_key: SSH_KEY.private })).toBe("done");
  expect(await open({ password: "sun" })).toBe("target_refused");
  expect(await open({ password: "", private_key: makeSshKey().private })).toBe("target_refused");
  expect(await open({ password: "", private_key: "no key" })).toBe("target_refused");
  expect(await open({ host_key: "" })).toBe("host_unknown");
  expect(await open({ host_key: `SHA256:${"A".repeat(43)}` })).toBe("target_refused");
  expect(await open({ host: "169.254.169.254" })).toBe("target_refused");
  expect(await open({ own_ports: [place.port] })).toBe("target_refused");
  expect(await open({ port: 1 })).toBe("target_away");
  const target = openSftp(place, () => "new");
  await target.write("packs/one", Buffer.from("a"));
  expect(target.warnings().join()).toContain("this same machine");
  // The connection ends; the next question makes another one.
  ssh?.drop();
  await until(async () => (await codeOf(target.read("packs/one"))) === "done" || null);
});
