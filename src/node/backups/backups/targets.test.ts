import { expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { startWebdavServer } from "../../../../tests/kit/webdav-server.ts";

test("what opens one target opens no other, whoever writes to the database", async () => {
  const node = createTestNode();
  const add = async (name: string): Promise<string> => {
    const body = { type: "local", name, path: makeScratch(name) };
    return (await node.call("POST /api/backup/targets", { as: "admin", body })).body.id;
  };
  const [first, second] = [await add("first"), await add("second")];
  const passOn = (column: string) =>
    node.ctx.db.raw.run(
      `UPDATE backup_targets SET ${column} = (SELECT ${column} FROM backup_targets WHERE id = ?) WHERE id = ?`,
      [first, second],
    );
  passOn("repository_key");
  expect((await node.call(`POST /api/backup/targets/${second}/test`, { as: "admin" })).status).toBe(500);
  passOn("kit_key");
  const kit = async (id: string) => (await node.call(`GET /api/backup/targets/${id}/kit`, { as: "admin" })).status;
  expect([await kit(first), await kit(second)]).toEqual([200, 500]);
  node.close();
});

test("the test of a target says by a code what is wrong; one that writes over what is there can be used, and is told", async () => {
  const node = createTestNode();
  const [sound, lax] = [startWebdavServer(), startWebdavServer("lax")];
  const ask = async (path: string, body?: object) => (await node.call(`POST ${path}`, { as: "admin", body })).body;
  const add = async (name: string, url: string): Promise<string> =>
    (await ask("/api/backup/targets", { type: "webdav", name, url, username: "ada", password: "moon" })).id;
  const test = (id: string) => ask(`/api/backup/targets/${id}/test`);
  expect(await test(await add("sound", sound.url))).toMatchObject({ ok: true, code: null, next_step: null });
  const onlyUs = expect.stringContaining("only this server");
  expect(await test(await add("lax", lax.url))).toMatchObject({
    ok: true,
    code: "backup_target_unguarded",
    next_step: onlyUs,
  });
  await Promise.all([sound.stop(), lax.stop()]);
  node.close();
});
