import { expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NODE_BINARY, startNode } from "../kit/binary.ts";
import { createClient, OWNER, setUp, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { makeScratch } from "../kit/scratch.ts";
import { startSftpServer } from "../kit/sftp-server.ts";
import { until } from "../kit/until.ts";

/** Of the command that brings a node back, at another moment each: `RESTORE_KILLS=200`. */
const KILLS = Number(Bun.env["RESTORE_KILLS"] ?? 2);

async function restore(words: readonly string[], lines: readonly string[]) {
  const child = Bun.spawn([NODE_BINARY, "restore", ...words], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: new TextEncoder().encode(`${lines.join("\n")}\n`),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, out, error };
}

test("kill -9 of the command that brings a node back leaves no half of it, and the next one brings all", async () => {
  const lost = await startNode();
  const owner = await setUp(lost.url);
  const path = makeScratch("disk");
  const target = await owner.ok("POST /api/backup/targets", { type: "local", name: "disk", path });
  const { recovery_key } = await owner.ok(`GET /api/backup/targets/${target.id}/kit`);
  const session = await owner.ok("POST /api/auth/login", OWNER);
  const { key } = await owner.ok("POST /api/keys", { name: "script" });
  const invited = await owner.ok("POST /api/users/invites", { username: "bob", role: "admin" });
  const { op_id } = await owner.ok("POST /api/backups", { target: target.id, apps: [], include_config: true });
  await until(async () => (await owner.ok(`GET /api/operations/${op_id}`)).status === "done", { timeoutMs: 20_000 });
  await lost.dispose();
  const folder = join(makeScratch("new"), "data");
  const words = [path, "--data", folder];
  for (let round = 0; round < KILLS; round += 1) {
    const child = Bun.spawn([NODE_BINARY, "restore", ...words], {
      env: { PATH: process.env["PATH"] ?? "" },
      stdin: new TextEncoder().encode(`${recovery_key}\n`),
      stdout: "ignore",
      stderr: "ignore",
    });
    // What it puts together shows beside the folder; until then nothing has begun.
    await until(() => existsSync(`${folder}.restoring`) || existsSync(folder) || child.exitCode !== null, {
      everyMs: 1,
    });
    await Bun.sleep(round);
    child.kill("SIGKILL");
    await child.exited;
    if (existsSync(folder)) {
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(["main.db", "node.key"]));
      rmSync(folder, { recursive: true });
    }
  }
  const done = await restore(words, [recovery_key]);
  expect([done.code, done.error]).toEqual([0, ""]);
  expect(readdirSync(join(folder, "..")).toSorted()).toEqual(["data"]);
  expect(done.out).toMatch(/All sessions have ended.*\nAs at \S+, 1 API key let people in/);

  // What was ended since the backup is not known to it: whoever has only a session, or a link, stays outside.
  const back = await startNode({ dataDir: folder });
  const visitor = createClient(back.url);
  const statusOf = async (route: string, body?: object, headers?: Record<string, string>) =>
    (await visitor.call(route, body, headers)).status;
  expect(await statusOf("GET /api/auth/me", undefined, { authorization: `Bearer ${session.access_token}` })).toBe(401);
  expect(await statusOf("POST /api/auth/refresh", { refresh_token: session.refresh_token })).toBe(401);
  expect(await statusOf("POST /api/auth/invites/look", { token: invited.token })).not.toBe(200);
  expect(await statusOf("GET /api/auth/me", undefined, { "x-api-key": key })).toBe(200);
  await back.stop();
  rmSync(folder, { recursive: true });
  expect((await restore([...words, "--end", "nothing"], [recovery_key])).code).toBe(2);
  const ended = await restore([...words, "--end", "keys,devices"], [recovery_key]);
  expect([ended.code, ended.out.includes("let people in")]).toEqual([0, false]);
  const without = await startNode({ dataDir: folder });
  const called = await createClient(without.url).call("GET /api/auth/me", undefined, { "x-api-key": key });
  expect(called.status).toBe(401);
  await without.dispose();
}, 3_600_000);

test("kill -9 while buckets and a Drive are put back: the next start goes on until all is there, in the same folder", async () => {
  let node = await startNode();
  let owner = await setUp(node.url);
  const path = makeScratch("disk");
  const { id: target } = await owner.ok("POST /api/backup/targets", { type: "local", name: "disk", path });
  await owner.ok("POST /api/objects/buckets", { name: "photos" });
  const bytesOf = (at: number) => new Uint8Array(60_000).fill(at + 1);
  const send = async (route: string, body: Uint8Array<ArrayBuffer> | FormData) => {
    const [method = "", way = ""] = route.split(" ");
    const reply = await fetch(owner.url + way, { method, body, headers: { authorization: `Bearer ${owner.token}` } });
    expect(reply.status).toBeLessThan(300);
    return JSON.parse(await reply.text());
  };
  const put = async (key: string, bytes: Uint8Array<ArrayBuffer>) => {
    const uploads = "/api/objects/buckets/photos/uploads";
    const { upload_id } = await owner.ok(`POST ${uploads}`, { key, type: "" });
    const { etag } = await send(`PUT ${uploads}/${upload_id}?number=1`, bytes);
    await owner.ok(`POST ${uploads}/${upload_id}/finish`, { parts: [{ number: 1, etag }] });
  };
  for (let at = 0; at < 20; at += 1) {
    await put(`p${at}`, bytesOf(at));
    const body = new FormData();
    body.set("file", new File([bytesOf(100 + at)], `f${at}`));
    await send("POST /api/drive/upload", body);
  }
  const { id: user } = await owner.ok("GET /api/auth/me");
  const made = await owner.ok("POST /api/backups", { target, apps: [], include_config: true });
  const untilDone = async (opId: string) =>
    until(async () => (await owner.ok(`GET /api/operations/${opId}`)).status === "done", { timeoutMs: 40_000 });
  await untilDone(made.op_id);
  const listed = async () => (await owner.ok("GET /api/objects/buckets/photos/objects")).objects;
  const wanted = await listed();
  for (let at = 0; at < 20; at += 1) await put(`p${at}`, bytesOf(200));
  const body = { buckets: ["photos"], remove_later: false, drives: [user], drives_over: false };
  for (const step of ["buckets", "drives"]) {
    const { op_id } = await owner.ok(`POST /api/backups/${made.id}/objects/restore`, body);
    await owner.stream(
      `/api/operations/${op_id}/events?from=0`,
      ({ data }) => data.step === step && data.status === "running",
    );
    await node.kill();
    node = await startNode({ dataDir: node.dataDir });
    owner = await signIn(node.url);
    await untilDone(op_id);
    const same = (objects: { key: string; etag: string }[]) => objects.map(({ key, etag }) => [key, etag]);
    expect(same(await listed())).toEqual(same(wanted));
    const top = (await owner.ok("GET /api/drive/tree")).nodes.filter(({ kind }: { kind: string }) => kind === "folder");
    expect(top.length).toBe(step === "buckets" ? 1 : 2);
    for (const { id } of top) expect((await owner.ok(`GET /api/drive/tree?folder_id=${id}`)).nodes.length).toBe(20);
  }
  await node.dispose();
});

suite("a lost node", ["sftp"], () => {
  test("the program brings a lost node back from OpenSSH's server; its owner signs in", async () => {
    const server = await startSftpServer();
    const lost = await startNode();
    const owner = await setUp(lost.url);
    const path = makeScratch("sftp");
    const place = {
      type: "sftp",
      name: "far",
      host: "127.0.0.1",
      port: server.port,
      path,
      username: "ada",
      password: "moon",
    };
    const asked = await owner.call("POST /api/backup/targets", place);
    const host_key: string = asked.body.params.fingerprint;
    const target = await owner.ok("POST /api/backup/targets", { ...place, host_key });
    const { recovery_key } = await owner.ok(`GET /api/backup/targets/${target.id}/kit`);
    const { op_id } = await owner.ok("POST /api/backups", { target: target.id, apps: [], include_config: true });
    await until(async () => (await owner.ok(`GET /api/operations/${op_id}`)).status === "done" || null, {
      timeoutMs: 20_000,
    });
    const users = await owner.ok("GET /api/users");
    await lost.dispose();

    const folder = join(makeScratch("new"), "data");
    const from = `sftp://ada@127.0.0.1:${server.port}${path}`;
    const words = [from, "--host-key", host_key, "--data", folder];
    expect(await restore(words, ["AAAA-BBBB", "moon"])).toMatchObject({ code: 1, out: "" });
    expect(await restore([from, "--data", folder], [recovery_key, "moon"])).toMatchObject({ code: 1 });
    expect((await restore(["relative/folder", "--data", folder], [recovery_key])).code).toBe(2);
    expect(existsSync(folder)).toBe(false);
    const done = await restore(words, [recovery_key, "moon"]);
    expect([done.code, done.error]).toEqual([0, ""]);
    const found = await startNode({ dataDir: folder });
    try {
      const again = await signIn(found.url);
      expect(await again.ok("GET /api/users")).toMatchObject(
        users.map(({ id, username }: never) => ({ id, username })),
      );
      expect(await again.ok(`POST /api/backup/targets/${target.id}/test`)).toMatchObject({ ok: true });
    } finally {
      await found.dispose();
      await server.stop();
    }
  });
});

test("the program brings a lost node back from another one: from a bucket there, and from a place that it keeps; wrong keys change nothing", async () => {
  const keeper = await startNode({ env: { ORRERY_S3_LISTEN: "127.0.0.1:0" } });
  const lost = await startNode();
  try {
    const admin = await setUp(keeper.url);
    await admin.ok("POST /api/objects/buckets", { name: "copies", visibility: "private" });
    const { access_key, secret_key } = await admin.ok("POST /api/objects/access-keys", {
      name: "atlas",
      grants: [{ bucket: "copies", read: true, write: true, owner: false }],
    });
    const endpoint = await until(async () => (await admin.ok("GET /api/objects/endpoint")).url ?? null);
    const wish = { name: "atlas", quota_bytes: 100_000_000, append_only: true, expires_in_days: 90 };
    const { key } = await admin.ok("POST /api/backup/drop-offs", wish);
    const owner = await setUp(lost.url);
    const s3 = { type: "s3", name: "bucket", endpoint, bucket: "copies", prefix: "atlas", access_key, secret_key };
    const ways = [
      {
        place: s3,
        words: [endpoint, "--bucket", "copies", "--prefix", "atlas", "--access-key", access_key],
        secret: secret_key,
        wrong: "wrong",
      },
      {
        place: { type: "node", name: "vega", url: keeper.url, key },
        words: [keeper.url, "--drop-off"],
        secret: key,
        wrong: `${key.slice(0, -4)}AAAA`,
      },
    ];
    const users = await owner.ok("GET /api/users");
    const kits: { target: string; kit: string }[] = [];
    for (const { place } of ways) {
      const target = await owner.ok("POST /api/backup/targets", place);
      expect(await owner.ok(`POST /api/backup/targets/${target.id}/test`)).toMatchObject({ ok: true });
      kits.push({ target: target.id, kit: (await owner.ok(`GET /api/backup/targets/${target.id}/kit`)).recovery_key });
      const { op_id } = await owner.ok("POST /api/backups", { target: target.id, apps: [], include_config: true });
      await until(async () => (await owner.ok(`GET /api/operations/${op_id}`)).status === "done" || null, {
        timeoutMs: 60_000,
      });
    }
    await lost.dispose();

    for (const [at, { words, secret, wrong }] of ways.entries()) {
      const { target = "", kit = "" } = kits[at] ?? {};
      const folder = join(makeScratch("new"), "data");
      const all = [...words, "--data", folder];
      expect(await restore(all, [kit, wrong])).toMatchObject({ code: 1, out: "" });
      expect(await restore(all, ["AAAA-BBBB", secret])).toMatchObject({ code: 1, out: "" });
      expect(existsSync(folder)).toBe(false);
      const done = await restore(all, [kit, secret]);
      expect([done.code, done.error]).toEqual([0, ""]);
      const found = await startNode({ dataDir: folder });
      try {
        const again = await signIn(found.url);
        const names = users.map(({ id, username }: never) => ({ id, username }));
        expect(await again.ok("GET /api/users")).toMatchObject(names);
        expect(await again.ok(`POST /api/backup/targets/${target}/test`)).toMatchObject({ ok: true });
      } finally {
        await found.dispose();
      }
    }
  } finally {
    await keeper.dispose();
  }
});
