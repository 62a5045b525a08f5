import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { openS3Node, type S3Node } from "../../../../tests/kit/s3-node.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";

let other: S3Node;
let node: TestNode;
beforeAll(async () => {
  other = await openS3Node(["elsewhere"]);
  const grants = [{ bucket: "elsewhere", read: true, write: true, owner: true }];
  const { body } = await other.node.call("POST /api/objects/access-keys", {
    as: "admin",
    body: { name: "a node", grants },
  });
  const { access_key, secret_key } = body;
  node = openStorageNode();
  node.ctx.objects.start?.();
  const place = { kind: "s3", endpoint: other.url, region: "us-east-1", access_key, secret_key };
  expect((await call("PUT /api/objects/place", place)).status).toBe(200);
});
afterAll(async () => {
  await closeStorageNode(node);
  await other.close();
});

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const UPLOADS = "/api/objects/buckets/elsewhere/uploads";

test.each<[what: string, key: string, pieces: string[]]>([
  ["of a part", "some.txt", ["some text"]],
  ["without bytes", "empty.txt", []],
])(
  "an upload %s that its place finished, and whose end got lost on the way here, is finished when it is asked for again",
  async (_what, key, pieces) => {
    const { upload_id } = (await call(`POST ${UPLOADS}`, { key, type: "text/plain" })).body;
    const parts: unknown[] = [];
    for (const body of pieces) {
      const headers = { "content-type": "application/octet-stream" };
      parts.push((await node.call(`PUT ${UPLOADS}/${upload_id}?number=1`, { as: "admin", body, headers })).body);
    }
    const finish = () => call(`POST ${UPLOADS}/${upload_id}/finish`, { parts, key });
    const { raw } = node.ctx.db;
    const [noted = []] = raw.query("SELECT * FROM object_place_uploads").values();
    const { body: done } = await finish();
    // As if the program had ended before it wrote that down; some places know nothing of an upload that is over.
    raw.query("INSERT INTO object_place_uploads VALUES (?, ?, ?, ?, ?, ?)").run(...(noted as string[]));
    raw.run("UPDATE object_place_uploads SET upload_id = 'over'");
    for (const _ of ["noted as begun", "noted no more"]) {
      const again = await finish();
      expect([again.status, again.body]).toEqual([200, { ...done, modified_at: expect.any(String) }]);
    }
  },
);
