import { expect, test } from "bun:test";
import { sftpPlace } from "../../../../tests/kit/backup-places.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { startOddSftpServer } from "../../../../tests/kit/odd-sftp-server.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import { takeLease } from "../engine/lease.ts";
import { openLocalFolder } from "../engine/local-folder.ts";

/** A node whose backup waits, as another server writes to its target. */
async function makeWaiting() {
  const node = createTestNode();
  const path = makeScratch("shared-target");
  const post = async (route: string, body: object = {}) =>
    (await node.call(`POST ${route}`, { as: "admin", body })).body;
  const target = await post("/api/backup/targets", { type: "local", name: "shared", path });
  const other = await takeLease(openLocalFolder(path), "other", Date.now, "borealis");
  const backup = await post("/api/backups", { target: target.id, apps: [], include_config: true });
  const read = () => node.ctx.operations.get(backup.op_id);
  await until(() => read().step === "wait");
  /** Turns the clock until it is over; how it ended. */
  const end = async (ms: number) => {
    await until(async () => {
      await node.clock.advance(ms);
      return read().status !== "running";
    });
    return read();
  };
  const told = async () => {
    const words: string[] = [];
    for await (const { data } of node.ctx.operations.read(backup.op_id, 0, new AbortController().signal))
      words.push(JSON.stringify(data));
    return words.join("\n");
  };
  return { node, other, backup, post, end, told };
}

test("a second server waits its turn, says for whom and since when, and goes on when the first is through", async () => {
  const { node, other, end, told } = await makeWaiting();
  await other.hold();
  await other.release();
  expect((await end(15_000)).status).toBe("done");
  expect(await told()).toMatch(/Waits its turn: borealis writes to this target since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\./);
  const [row] = (await node.call("GET /api/backups", { as: "admin" })).body;
  expect([row.status, row.cause]).toEqual(["completed", null]);
  node.close();
});

test("whoever waits can be cancelled, and does not wait for ever", async () => {
  const first = await makeWaiting();
  await first.post(`/api/backups/${first.backup.id}/cancel`);
  expect((await first.end(0)).error?.code).toBe("backup_cancelled");
  first.node.close();
  const second = await makeWaiting();
  expect((await second.end(3_600_000)).error?.code).toBe("backup_target_busy");
  second.node.close();
});

test("a backup to a server that answers nothing is cancelled at once, and the next one begins", async () => {
  const node = createTestNode();
  const server = await startOddSftpServer();
  const { host, port, path, username, password, host_key } = await sftpPlace(server.port);
  const post = async (route: string, body: object = {}) =>
    (await node.call(`POST ${route}`, { as: "admin", body })).body;
  const place = { host, port, path, username, password, host_key };
  const mute = await post("/api/backup/targets", { type: "sftp", name: "mute", ...place });
  const other = await post("/api/backup/targets", { type: "local", name: "other", path: makeScratch("other-target") });
  server.fallSilent("");
  const backup = await post("/api/backups", { target: mute.id, apps: [], include_config: true });
  await server.untilSilent;
  await post(`/api/backups/${backup.id}/cancel`);
  await until(() => node.ctx.operations.get(backup.op_id).status !== "running");
  expect(node.ctx.operations.get(backup.op_id).error?.code).toBe("backup_cancelled");
  const next = await post("/api/backups", { target: other.id, apps: [], include_config: true });
  await until(() => node.ctx.operations.get(next.op_id).status === "done");
  await server.stop();
  node.close();
});
