import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { suite } from "../../../../tests/kit/env.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeRestic, RESTIC_PASSWORD, type ResticProgram, resticFiles } from "../../../../tests/kit/restic.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { type SftpServer, startSftpServer } from "../../../../tests/kit/sftp-server.ts";
import { until } from "../../../../tests/kit/until.ts";
import { startWebdavServer, type WebdavServer } from "../../../../tests/kit/webdav-server.ts";
import { openPlace, type TargetPlace } from "../engine/index.ts";

suite("restic repositories at places of other servers", ["s3_programs", "sftp"], () => {
  let node: TestNode;
  let dav: WebdavServer;
  let ssh: SftpServer;
  let program: ResticProgram;
  const content = Buffer.alloc(2_000_000, "what lies elsewhere, ");
  const root = join(makeScratch("files"), "tree");

  beforeEach(async () => {
    ssh = await startSftpServer();
    dav = startWebdavServer();
    node = createTestNode({ s3_listen: "127.0.0.1:0" });
    // Signatures have the time of the machine's own clock, which the thread reads.
    node.clock.jump(Date.now() - node.clock.now());
    node.ctx.objects.start?.();
    program = makeRestic(2);
    writeFileSync(root, content);
    program.run("backup", root);
  });
  afterEach(async () => {
    await ssh.stop();
    await dav.stop();
    await node.ctx.objects.stop();
    await node.ctx.objectStore.stop();
    node.close();
  });

  const post = async (path: string, body: object) => (await node.call(`POST ${path}`, { as: "admin", body })).body;

  /** Attaches the repository there and reads the file out of it. */
  async function readFrom(place: Record<string, unknown>): Promise<Buffer> {
    const body = { name: String(place["type"]), ...place, repository_password: RESTIC_PASSWORD };
    const attached = await post("/api/backup/restic", body);
    expect(attached.code).toBeUndefined();
    const at = `/api/backup/restic/${attached.id}`;
    const { op_id } = await post(`${at}/read`, {});
    const status = await until(() => {
      const op = node.ctx.operations.get(op_id);
      return op.status === "running" ? null : (op.error?.message ?? op.status);
    });
    expect(status).toBe("done");
    const [snapshot] = (await node.call(`GET ${at}/snapshots`, { as: "admin" })).body.snapshots;
    const query = new URLSearchParams({ path: root });
    const headers = { authorization: `Bearer ${await node.tokenOf("admin")}` };
    const answer = await node.fetch(
      new Request(`http://node${at}/snapshots/${snapshot.id}/download?${query}`, { headers }),
    );
    return Buffer.from(await answer.arrayBuffer());
  }

  async function copyTo(place: TargetPlace): Promise<void> {
    const target = await openPlace(place);
    for (const file of resticFiles(program, ".")) await target.write(relative(program.path, file), readFileSync(file));
  }

  test("a folder of a WebDAV server", async () => {
    const place = { type: "webdav" as const, url: dav.url, username: "ada", password: "moon" };
    await copyTo({ ...place, own_ports: [] });
    expect((await readFrom(place)).equals(content)).toBe(true);
  }, 60_000);

  test("a bucket", async () => {
    await post("/api/objects/buckets", { name: "copies" });
    const grants = [{ bucket: "copies", read: true, write: true, owner: false }];
    const { access_key, secret_key } = await post("/api/objects/access-keys", { name: "backups", grants });
    await node.ctx.objects.settled();
    const endpoint = (await node.call("GET /api/objects/endpoint", { as: "admin" })).body.url;
    const place = { type: "s3" as const, endpoint, region: "us-east-1", bucket: "copies", access_key, secret_key };
    await copyTo({ ...place, prefix: "here/", own_ports: [] });
    expect((await readFrom({ ...place, prefix: "here" })).equals(content)).toBe(true);
  }, 60_000);

  test("a folder of an SFTP server, whose key is confirmed first", async () => {
    const place = {
      type: "sftp",
      host: "127.0.0.1",
      port: ssh.port,
      path: program.path,
      username: "ada",
      password: "moon",
    };
    const body = { name: "first", ...place, repository_password: RESTIC_PASSWORD };
    const { code, params } = await post("/api/backup/restic", body);
    expect(code).toBe("restic_host_key");
    expect((await readFrom({ ...place, host_key: params.fingerprint })).equals(content)).toBe(true);
  }, 60_000);
});
