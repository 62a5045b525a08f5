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
