import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NODE_BINARY, startNode } from "../kit/binary.ts";
import { setUp, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { makeScratch } from "../kit/scratch.ts";
import { startSftpServer } from "../kit/sftp-server.ts";
import { until } from "../kit/until.ts";

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
  }, 60_000);
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
}, 240_000);
