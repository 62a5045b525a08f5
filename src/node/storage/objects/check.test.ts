import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { openS3Node, type S3Node } from "../../../../tests/kit/s3-node.ts";

let own: S3Node;
beforeEach(async () => {
  own = await openS3Node(["photos"]);
});
afterEach(() => own.close());

const report = async () => (await own.node.call("GET /api/objects/check", { as: "admin" })).body;

function spoil(what: string, change: (file: Buffer, at: number) => void): void {
  const path = `${own.node.dataDir}/objects/segments/1.seg`;
  const file = readFileSync(path);
  change(file, file.indexOf(what));
  writeFileSync(path, file);
}

test("damage is found by itself, told once to whom it concerns, and gone when the object is stored anew", async () => {
  expect(await report()).toMatchObject({ status: "never", damaged_count: 0 });
  for (const key of ["good", "bad"]) await own.s3("PUT", "photos", { key, body: `the bytes of ${key}` });
  spoil("the bytes of bad", (file, at) => void file.write("THE BYTES", at));
  await own.node.ctx.jobs.run("objects-check");
  const found = await report();
  expect(found).toMatchObject({ status: "done", damaged_count: 1, checked_bytes: found.total_bytes });
  expect(found.damaged[0].objects).toEqual(["photos/bad"]);
  await own.node.ctx.jobs.run("objects-check");
  await own.node.ctx.bus.idle();
  const told = own.node.events.filter(({ name }) => name === "objects.damaged");
  expect(told.map(({ data }) => data)).toEqual([{ damaged: 1, mended: 0, object: "photos/bad" }]);
  const inbox = (await own.node.call("GET /api/inbox", { as: "admin" })).body;
  expect(JSON.stringify(inbox)).toContain("photos/bad");
  await own.s3("PUT", "photos", { key: "bad", body: "the bytes of bad" });
  expect((await report()).damaged_count).toBe(0);
});

test("somebody who waits has everything read now", async () => {
  await own.s3("PUT", "photos", { key: "bit", body: "the bytes of bit" });
  spoil("the bytes of bit", (file, at) => void file.writeUInt8(file.readUInt8(at) ^ 1, at));
  const begun = await own.node.call("POST /api/objects/check", { as: "admin" });
  expect([begun.status, begun.body.status]).toEqual([202, "running"]);
  await own.node.ctx.objects.checked();
  expect(await report()).toMatchObject({ status: "done", damaged_count: 0, mended: 1 });
  expect((await own.s3("GET", "photos", { key: "bit" })).text).toBe("the bytes of bit");
  expect((await own.node.call("POST /api/objects/check", { as: "member" })).status).toBe(403);
});
