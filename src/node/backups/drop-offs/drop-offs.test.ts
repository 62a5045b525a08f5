import { expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asOther, bytesOf, INPUT, MIB, makePlace } from "../../../../tests/kit/drop-off.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days, seconds } from "../../../lib/duration.ts";

test("a key writes, reads, lists and removes in its own place, piece by piece, and writes nothing over", async () => {
  const node = createTestNode();
  const { key, drop } = await makePlace(node);
  const other = asOther(node, key);
  expect((await other.put("config.json", Buffer.from("{}"))).body).toEqual({ received_bytes: 2 });
  expect((await other.put("config.json", Buffer.from("[]"))).body.code).toBe("drop_exists");
  const large = bytesOf(7 * MIB);
  large.fill(9, 5 * MIB);
  const sha256 = sha256Hex(large);
  const size = large.length;
  const first = large.subarray(0, 6 * MIB);
  expect((await other.put("packs/ab/abcd", large.subarray(6 * MIB), { at: 6 * MIB, size, sha256 })).body.code).toBe(
    "drop_piece",
  );
  expect((await other.put("packs/ab/abcd", first, { size, sha256 })).body).toEqual({ received_bytes: 6 * MIB });
  expect((await other.list("packs")).body).toEqual([]);
  expect((await other.put("packs/ab/abcd", large.subarray(6 * MIB), { at: 6 * MIB, size, sha256 })).status).toBe(200);
  expect((await other.list("packs")).body).toEqual([{ name: "packs/ab/abcd", size }]);
  expect(sha256Hex((await other.get("packs/ab/abcd")).text)).toBe(sha256);
  expect([...(await other.get("packs/ab/abcd", { at: `${5 * MIB - 1}`, length: "2" })).text]).toEqual([1, 9]);
  expect((await other.put("packs/ab/other", bytesOf(9), { sha256: "0".repeat(64) })).body.code).toBe("drop_damaged");
  expect((await other.get("packs/ab/other")).body.code).toBe("drop_missing");
  for (const name of ["../x", "/etc/passwd", "packs//x", "packs/../x", "a\\b"])
    expect([(await other.put(name, bytesOf(1))).body.code, (await other.get(name)).body.code]).toEqual([
      "drop_name",
      "drop_name",
    ]);
  const [listed] = (await node.call("GET /api/backup/drop-offs", { as: "admin" })).body;
  expect([listed.used_bytes, listed.last_used_at === null]).toEqual([size + 4096, false]);
  expect((await other.remove("packs/ab/abcd")).status).toBe(204);
  const [smaller] = (await node.call("GET /api/backup/drop-offs", { as: "admin" })).body;
  expect(smaller.used_bytes).toBe(4096);
  expect(readdirSync(join(node.dataDir, "drop-offs", "incoming"))).toEqual([]);
  expect(readdirSync(drop.path).sort()).toEqual(["config.json", "incoming", "packs"]);
  node.close();
});

test("files that are never finished give way to others, and are begun anew", async () => {
  const node = createTestNode();
  const { key } = await makePlace(node);
  const other = asOther(node, key);
  const whole = bytesOf(3);
  const part = (no: number, at: number) =>
    other.put(`packs/aa/${no}`, whole.subarray(at, at + 1), { at, size: 3, sha256: sha256Hex(whole) });
  for (let no = 0; no < 9; no++) expect((await part(no, 0)).status).toBe(200);
  expect(readdirSync(join(node.dataDir, "drop-offs", "incoming"))).toHaveLength(4);
  expect([(await part(0, 1)).body.code, (await part(8, 1)).body]).toEqual(["drop_piece", { received_bytes: 2 }]);
  node.close();
});

test("a key opens neither another place nor anything else, and nothing once it is old, replaced or taken back", async () => {
  const node = createTestNode();
  const mine = await makePlace(node, { expires_in_days: 30 });
  const theirs = await makePlace(node, { name: "vega" });
  await asOther(node, theirs.key).put("snapshots/one", bytesOf(10));
  expect((await asOther(node, mine.key).list("snapshots")).body).toEqual([]);
  const code = async (key: string) => (await asOther(node, key).list("packs")).body?.code ?? "open";
  const mixed = mine.key.replace(mine.drop.id, theirs.drop.id);
  for (const key of ["", "odk_x", mixed, `${mine.key}x`, mine.key.slice(0, -1)])
    expect(await code(key)).toBe("drop_key_refused");
  const headers = { authorization: `Bearer ${mine.key}` };
  for (const path of ["/api/backups", "/api/backup/drop-offs", "/api/users", "/api/auth/me"])
    expect((await node.fetch(new Request(`http://localhost${path}`, { headers }))).status).toBe(401);

  const { key: fresh } = (await node.call(`POST /api/backup/drop-offs/${mine.drop.id}/key`, { as: "admin" })).body;
  expect([await code(mine.key), await code(fresh)]).toEqual(["drop_key_refused", "open"]);
  await node.clock.advance(days(31));
  expect([await code(fresh), await code(theirs.key)]).toEqual(["drop_key_refused", "open"]);
  const renewed = { ...INPUT, name: "mine", expires_in_days: 3 };
  await node.call(`PUT /api/backup/drop-offs/${mine.drop.id}`, { as: "admin", body: renewed });
  expect(await code(fresh)).toBe("open");
  await node.call(`DELETE /api/backup/drop-offs/${theirs.drop.id}?delete_data=false`, { as: "admin" });
  await node.call(`DELETE /api/backup/drop-offs/${mine.drop.id}?delete_data=true`, { as: "admin" });
  expect([await code(fresh), await code(theirs.key)]).toEqual(["drop_key_refused", "drop_key_refused"]);
  expect([existsSync(mine.drop.path), existsSync(theirs.drop.path)]).toEqual([false, true]);
  node.close();
});

test("no more than its quota is kept, whatever is sent at once; what is kept stays where the key may only add", async () => {
  const node = createTestNode();
  const { key, drop } = await makePlace(node, { append_only: true });
  const other = asOther(node, key);
  const names = Array.from({ length: 14 }, (_, at) => `packs/aa/${at}`);
  const ends = await Promise.all(names.map((name, at) => other.put(name, bytesOf(6 * MIB, at))));
  const codes = ends.map(({ status, body }) => (status === 200 ? "kept" : body.code));
  expect(codes.filter((code) => code === "kept").length).toBe(10);
  expect(new Set(codes)).toEqual(new Set(["kept", "drop_full"]));
  expect((await other.remove("packs/aa/0")).body.code).toBe("drop_append_only");
  expect((await other.remove("snapshots/x")).body.code).toBe("drop_append_only");
  await other.put("leases/1", bytesOf(5));
  expect((await other.remove("leases/1")).status).toBe(204);
  // What was counted wrong by a program that was killed is put right at the next start.
  node.ctx.db.raw.run("UPDATE drop_offs SET used_bytes = 7");
  writeFileSync(join(drop.path, "packs", "aa", "more"), bytesOf(100));
  expect((await other.put("condemned/where", bytesOf(20))).status).toBe(200);
  mkdirSync(join(drop.path, "incoming"), { recursive: true });
  writeFileSync(join(drop.path, "incoming", "1-1"), bytesOf(3));
  mkdirSync(join(node.dataDir, "drop-offs", "incoming"), { recursive: true });
  writeFileSync(join(node.dataDir, "drop-offs", "incoming", "half"), "x");
  for (const part of node.ctx.parts) if (part.feature?.name === "drop-offs") await part.start?.();
  const [listed] = (await node.call("GET /api/backup/drop-offs", { as: "admin" })).body;
  expect(listed.used_bytes).toBe(60 * MIB + 2 * 4096);
  expect(existsSync(join(node.dataDir, "drop-offs", "incoming"))).toBe(false);
  node.close();
});

test("places are made on a mounted disk or in the data folder, within limits; viewers and API keys make none", async () => {
  const node = createTestNode();
  const ask = async (more: object, as: "admin" | "member" | "viewer" = "admin") =>
    (await node.call("POST /api/backup/drop-offs", { as, body: { ...INPUT, ...more } })).body.code ?? "made";
  expect(await ask({ path: "/etc" })).toBe("drop_off_path");
  expect(await ask({ path: node.dataDir })).toBe("drop_off_path");
  expect(await ask({ quota_bytes: 5 })).toBe("invalid_request");
  expect(await ask({}, "viewer")).toBe("forbidden");
  expect(await ask({}, "member")).toBe("forbidden");
  const disk = makeScratch("disk");
  expect(await ask({ path: disk })).toBe("made");
  expect(readdirSync(disk).length).toBe(1);
  expect(await ask({})).toBe("drop_off_taken");
  node.close();
});

test("what is read slowly is not held, and so much of it leaves at a time", async () => {
  const node = createTestNode();
  const { key } = await makePlace(node);
  const other = asOther(node, key);
  const large = bytesOf(5 * MIB);
  await other.put("packs/ab/abcd", large);
  const read = (more = "") =>
    node.fetch(
      new Request(`http://localhost/api/drop-off/file?name=packs/ab/abcd${more}`, {
        headers: { authorization: `Bearer ${key}` },
      }),
    );
  const sizes: number[] = [];
  for await (const piece of (await read()).body ?? []) sizes.push(piece.length);
  expect([sizes.reduce((sum, size) => sum + size, 0), Math.max(...sizes)]).toEqual([5 * MIB, 256 * 1024]);
  expect((await read(`&at=0&length=${5 * MIB + 1}`)).status).toBe(503);
  const slow = await Promise.all(Array.from({ length: 32 }, () => read()));
  expect(slow.map(({ status }) => status)).toEqual(slow.map(() => 200));
  expect((await read()).status).toBe(429);
  await slow[0]?.body?.cancel();
  const next = await read();
  expect(next.status).toBe(200);
  await Promise.all([...slow.slice(1), next].map(({ body }) => body?.cancel()));
  node.close();
});

/** A piece whose server sends a byte and then nothing until `end`. */
function slowPiece(node: TestNode, key: string, name: string) {
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytesOf(1));
      end = () => controller.close();
    },
  });
  const query = new URLSearchParams({ name, at: "0", size: "100", sha256: "0".repeat(64) });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" };
  const asked = new Request(`http://localhost/api/drop-off/file?${query}`, { method: "PUT", headers, body });
  return { answer: node.fetch(asked), end: () => end() };
}

test("a server that sends slowly keeps no other waiting, and is given up", async () => {
  const node = createTestNode();
  const slow = await makePlace(node);
  const quick = asOther(node, (await makePlace(node, { name: "borealis" })).key);
  const pieces = Array.from({ length: 16 }, (_, at) => slowPiece(node, slow.key, `packs/s${at}`));
  const isCrowded = async () => (await asOther(node, slow.key).put("packs/more", bytesOf(1))).body?.code;
  await until(async () => (await isCrowded()) === "drop_crowded", { what: "the crowd" });
  expect((await quick.put("packs/quick", bytesOf(1))).status).toBe(200);
  for (let at = 0; at < 20; at += 1) await node.clock.advance(seconds(1));
  expect((await Promise.all(pieces.map(({ answer }) => answer))).map(({ status }) => status)).toEqual(
    pieces.map(() => 408),
  );
  for (const { end } of pieces) end();
  node.close();
});

test("a place may have more than its disk has room for, and takes no room that this server needs", async () => {
  const node = createTestNode();
  const { key } = await makePlace(node);
  const space = spyOn(node.ctx.host, "ownSpace").mockResolvedValue({
    ...{ total: 100 * 1024 * MIB, used: 99.5 * 1024 * MIB, free: 512 * MIB },
    files: { used: 0, total: 0 },
  });
  const { status, body } = await asOther(node, key).put("packs/x", bytesOf(1));
  expect([status, body.code]).toEqual([507, "disk_full"]);
  space.mockRestore();
  node.close();
});

test("another Orrery backs up here with its key alone: backups are made, read back, found again with the kit, and refused once the key is taken back", async () => {
  const [keeper, sender] = [createTestNode(), createTestNode()];
  const { key, drop } = await makePlace(keeper);
  const listening = keeper.listen();
  const url = `http://127.0.0.1:${listening.port}`;
  const post = (path: string, body?: unknown) => sender.call(`POST ${path}`, { as: "admin", body });
  const place = { type: "node", name: "vega", url };
  const refused = await post("/api/backup/targets", { ...place, key: "odk_nothing" });
  expect(refused.body.params.field).toBe("key");
  const unknown = await post("/api/backup/targets", { ...place, key: `${key.slice(0, -4)}AAAA` });
  expect([unknown.body.code, unknown.body.message]).toEqual([
    "backup_target_unfit",
    expect.stringContaining("This key opens nothing here"),
  ]);
  const { body: target } = await post("/api/backup/targets", { ...place, key });
  expect([target.type, target.path]).toEqual(["node", `${url}/#${drop.id}`]);
  const tested = (await post(`/api/backup/targets/${target.id}/test`)).body;
  expect([tested.ok, tested.warnings]).toEqual([true, [expect.stringContaining("this same machine")]]);
  const untilOver = (opId: string) =>
    until(() => {
      const { status } = sender.ctx.operations.get(opId);
      return status === "running" ? null : status;
    });
  const begin = async () => (await post("/api/backups", { target: target.id, apps: [], include_config: true })).body;
  const backup = await begin();
  expect(await untilOver(backup.op_id)).toBe("done");
  expect(await untilOver((await post(`/api/backups/${backup.id}/verify`)).body.op_id)).toBe("done");
  const [listed] = (await keeper.call("GET /api/backup/drop-offs", { as: "admin" })).body;
  expect(listed.used_bytes).toBeGreaterThan(1000);

  const { recovery_key } = (await sender.call(`GET /api/backup/targets/${target.id}/kit`, { as: "admin" })).body;
  const third = createTestNode();
  const found = await third.call("POST /api/backup/targets", { as: "admin", body: { ...place, key, recovery_key } });
  expect(found.status).toBe(200);
  const [again] = (await third.call("GET /api/backups", { as: "admin" })).body;
  expect([again.id, again.status]).toEqual([backup.id, "completed"]);

  await keeper.call(`POST /api/backup/drop-offs/${drop.id}/key`, { as: "admin" });
  const cut = await begin();
  expect(await untilOver(cut.op_id)).toBe("failed");
  const [failed] = (await sender.call("GET /api/backups", { as: "admin" })).body;
  expect(failed.cause).toContain("This key opens nothing here");
  await listening.stop();
  for (const node of [keeper, sender, third]) node.close();
});

test("a place that keeps all there is needs no tidying: what is too old for a plan stays there, and on the list", async () => {
  const [keeper, sender] = [createTestNode(), createTestNode()];
  const { key, drop } = await makePlace(keeper, { append_only: true });
  const listening = keeper.listen();
  const url = `http://127.0.0.1:${listening.port}`;
  const post = async (path: string, body: unknown) => (await sender.call(`POST ${path}`, { as: "admin", body })).body;
  const { id: target } = await post("/api/backup/targets", { type: "node", name: "vega", url, key });
  await post("/api/backup/plans", {
    ...{ name: "Every day", enabled: true, cron: "30 3 * * *", jitter_minutes: 0, apps: null, include_config: true },
    ...{ target, keep: { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 } },
  });
  const made: string[] = [];
  for (let day = 0; day < 2; day++) {
    sender.clock.jump(days(1));
    keeper.clock.jump(days(1));
    await sender.ctx.jobs.run("backups.begin_due");
    const [newest] = (await sender.call("GET /api/backups", { as: "admin" })).body;
    made.push(newest.id);
    const ended = await until(() => {
      const { status } = sender.ctx.operations.get(newest.op_id);
      return status === "running" ? null : status;
    });
    expect(ended).toBe("done");
  }
  const listed = (await sender.call("GET /api/backups", { as: "admin" })).body.map(({ id }: { id: string }) => id);
  expect(listed).toEqual(made.toReversed());
  expect(readdirSync(join(drop.path, "snapshots")).toSorted()).toEqual(made.toSorted());
  await listening.stop();
  for (const node of [keeper, sender]) node.close();
});
