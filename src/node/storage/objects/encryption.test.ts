import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openS3Node, type S3Node } from "../../../../tests/kit/s3-node.ts";

let own: S3Node;
beforeEach(async () => {
  own = await openS3Node(["photos"]);
});
afterEach(() => own.close());

const call = (route: string, body?: unknown, as: "admin" | "member" = "admin") => own.node.call(route, { as, body });

/** Whether words can be read in any file of the data folder. */
const isReadable = (words: string): boolean =>
  readdirSync(own.node.dataDir, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(words),
  );

test("an admin has what is stored encrypted, and all requests work as before", async () => {
  const words = "nobody may read these words on the disk";
  await own.s3("PUT", "photos", { key: "before", body: `${words} `.repeat(20_000) });
  expect((await call("GET /api/objects/encryption")).body).toMatchObject({ on: false, status: "done" });
  expect((await call("PUT /api/objects/encryption", { on: true }, "member")).status).toBe(403);
  expect(isReadable(words)).toBe(true);
  const { status, body } = await call("PUT /api/objects/encryption", { on: true });
  expect([status, body]).toEqual([
    200,
    {
      on: true,
      status: "following",
      done_bytes: 0,
      total_bytes: 800_000,
      key_file: join(own.node.dataDir, "node.key"),
      folder: join(own.node.dataDir, "objects"),
      key_is_beside: true,
      key_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ]);
  await own.node.ctx.objectStore.tidy();
  expect((await call("GET /api/objects/encryption")).body).toMatchObject({ status: "done", done_bytes: 800_000 });
  await own.s3("PUT", "photos", { key: "after", body: words });
  expect(isReadable(words)).toBe(false);
  expect((await own.s3("GET", "photos", { key: "after" })).text).toBe(words);
  const part = await own.s3("GET", "photos", { key: "before", headers: { range: "bytes=400000-400039" } });
  expect([part.status, part.text]).toEqual([206, `${words} `]);
  const said = own.node.events.filter(({ name }) => name === "objects.encryption_changed");
  expect(said.map(({ data }) => data)).toEqual([{ user_id: "usr_admin", ip: expect.any(String), on: true }]);
});
