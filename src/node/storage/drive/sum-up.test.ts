import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { keepWaiting } from "../../../../tests/kit/waiting-crowd.ts";
import { CHUNK_BYTES } from "./contract.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const FILE = new Uint8Array(CHUNK_BYTES + 5).map((_, at) => (at * 31) % 251);
const SHA256 = new Bun.CryptoHasher("sha256").update(FILE).digest("hex");

/** Sends a file whose last chunk comes first; tells its upload. */
async function sendBackwards(name: string, sha256 = SHA256): Promise<string> {
  const about = { name, folder_id: null, size_bytes: FILE.length, sha256 };
  const { body } = await node.call("POST /api/drive/upload/init", { as: "admin", body: about });
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  for (const number of [2, 1]) {
    const bytes = FILE.slice((number - 1) * CHUNK_BYTES, number * CHUNK_BYTES);
    const url = `http://localhost/api/drive/upload/${body.upload_id}?number=${number}`;
    expect((await node.fetch(new Request(url, { method: "PUT", headers, body: bytes }))).status).toBe(200);
  }
  return body.upload_id;
}

const finish = (id: string) => node.call(`POST /api/drive/upload/${id}/finish`, { as: "admin" });

test("a file that did not come in order is read once for its sum, however often its end is asked for", async () => {
  const id = await sendBackwards("a", "0".repeat(64));
  const opened = spyOn(node.ctx.objectStore, "open");
  const first = await finish(id);
  const reads = opened.mock.calls.length;
  const second = await finish(id);
  expect([first.body.params, second.body.params]).toEqual([{ sha256: SHA256 }, { sha256: SHA256 }]);
  expect([reads, opened.mock.calls.length]).toEqual([1, 1]);
  opened.mockRestore();
});

test("of one account a file is read for its sum at a time, and others come between its pieces", async () => {
  const ids = [await sendBackwards("a"), await sendBackwards("b"), await sendBackwards("c")];
  const { objectStore, takeTurn } = node.ctx;
  const crowd = keepWaiting(takeTurn, ["other", ""], 50);
  let [reading, most] = [0, 0];
  const seen: number[] = [];
  const opened = spyOn(objectStore, "open").mockImplementation(async () => {
    reading += 1;
    most = Math.max(most, reading);
    return (async function* () {
      // All of it is there at once: nothing but a turn lets others go.
      for (const piece of [FILE.slice(CHUNK_BYTES, -2), FILE.slice(-2)]) {
        seen.push(crowd.turns());
        yield piece;
      }
      reading -= 1;
    })();
  });
  const answers = await Promise.all(ids.map(finish));
  expect([answers.map(({ status }) => status), most]).toEqual([[200, 200, 200], 1]);
  expect([seen.length, new Set(seen).size]).toEqual([6, 6]);
  crowd.end();
  opened.mockRestore();
});
