import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asOther, bytesOf, MIB, makePlace } from "../../../../tests/kit/drop-off.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { until } from "../../../../tests/kit/until.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { seconds } from "../../../lib/duration.ts";

const WHOLE = bytesOf(100);

/** A file whose last byte comes only with `end`. */
function slowFile(node: TestNode, key: string, name: string) {
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(WHOLE.subarray(0, 99));
      end = () => {
        controller.enqueue(WHOLE.subarray(99));
        controller.close();
      };
    },
  });
  const query = new URLSearchParams({ name, at: "0", size: "100", sha256: sha256Hex(WHOLE) });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" };
  const asked = new Request(`http://localhost/api/drop-off/file?${query}`, { method: "PUT", headers, body });
  return { answer: node.fetch(asked), end: () => end() };
}

test.each([
  [
    "is replaced",
    async (node: TestNode, id: string) => {
      await node.call(`POST /api/backup/drop-offs/${id}/key`, { as: "admin" });
    },
  ],
  [
    "is replaced after room was taken",
    async (node: TestNode) => {
      node.ctx.db.raw.run(
        `CREATE TEMP TRIGGER replaced AFTER UPDATE OF files ON drop_offs WHEN NEW.files > OLD.files
         BEGIN UPDATE drop_offs SET key_hash = 'another'; END`,
      );
    },
  ],
  [
    "runs out",
    async (node: TestNode) => {
      node.ctx.db.raw.query("UPDATE drop_offs SET expires_at = ?").run(node.clock.now());
    },
  ],
])("a key that %s while a file is on its way stores nothing any more", async (_what, ends) => {
  const node = createTestNode();
  const { key, drop } = await makePlace(node, { append_only: true, expires_in_days: 30 });
  const other = asOther(node, key);
  const late = slowFile(node, key, "snapshots/late");
  const begun = async () => (await other.put("snapshots/late", WHOLE)).body?.code === "drop_crowded";
  await until(begun, { what: "the file on its way" });
  await ends(node, drop.id);
  late.end();
  const answer = await late.answer;
  expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: "drop_key_refused" })]);
  expect(existsSync(join(drop.path, "snapshots", "late"))).toBe(false);
  const [listed] = (await node.call("GET /api/backup/drop-offs", { as: "admin" })).body;
  expect(listed.used_bytes).toBe(0);
  node.close();
});

test("a file that another server reads goes no further once its key is renewed", async () => {
  const node = createTestNode();
  const { key, drop } = await makePlace(node);
  const file = bytesOf(4 * MIB);
  expect((await asOther(node, key).put("packs/ab/abcd", file)).status).toBe(200);
  const read = async (meanwhile: () => unknown) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await node.fetch(
      new Request("http://localhost/api/drop-off/file?name=packs%2Fab%2Fabcd", { headers }),
    );
    const reader = answer.body?.getReader();
    let bytes = (await reader?.read())?.value?.length ?? 0;
    await meanwhile();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) bytes += next.value.length;
    return bytes;
  };
  expect(await read(() => node.clock.advance(seconds(5)))).toBe(file.length);
  const renewed = read(async () => {
    await node.call(`POST /api/backup/drop-offs/${drop.id}/key`, { as: "admin" });
    await node.clock.advance(seconds(5));
  });
  await expect(renewed).rejects.toMatchObject({ code: "drop_key_refused" });
  node.close();
});
