import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { kernelFail } from "../../../../kernel/http/errors.ts";
import type { Operation } from "../../object-store/index.ts";

let own: S3Node;
beforeAll(async () => {
  own = await openS3Node(["own"]);
});
afterAll(() => own.close());

let restore = (): void => {};
afterEach(() => restore());

/** Has no room for changes of which that holds. */
function refuse(isLate: (operation: Operation) => boolean): void {
  const { objectStore } = own.node.ctx;
  const { change } = objectStore;
  const spy = spyOn(objectStore, "change").mockImplementation(async (operation, whose) => {
    if (isLate(operation)) throw kernelFail("unavailable", { reason: "later", retry_after_s: 1 });
    return await change(operation, whose);
  });
  restore = () => spy.mockRestore();
}

const put = (key: string) => own.s3("PUT", "own", { key, body: key });
const remove = (keys: readonly string[]) => {
  const body = `<Delete>${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("")}</Delete>`;
  return own.s3("POST", "own", { query: { delete: "" }, body });
};
const isThere = async (key: string) => (await own.s3("GET", "own", { key })).status === 200;
const isOf = (operation: Operation, name: string): boolean =>
  operation.kind === "remove" && Buffer.from(operation.key).toString() === name;

test("of many that are to go those are told that went, and those that had no room to wait are to be asked for again", async () => {
  await put("a");
  await put("b");
  refuse((operation) => isOf(operation, "b"));
  const { status, text } = await remove(["a", "b"]);
  expect([status, await isThere("a"), await isThere("b")]).toEqual([200, false, true]);
  expect(text).toContain("<Deleted><Key>a</Key></Deleted><Error><Key>b</Key><Code>SlowDown</Code>");
});

test("where none of them had room to wait, nothing went and all is to be asked for again", async () => {
  await put("a");
  await put("b");
  refuse(({ kind }) => kind === "remove");
  const { status, code, headers } = await remove(["a", "b"]);
  expect([status, code, headers.get("retry-after")]).toEqual([503, "SlowDown", "1"]);
  expect([await isThere("a"), await isThere("b")]).toEqual([true, true]);
});

test("an upload whose end has no room to wait is still there, and ends when it is asked for again", async () => {
  const begun = await own.s3("POST", "own", { key: "up", query: { uploads: "" } });
  const uploadId = /<UploadId>(.*?)</.exec(begun.text)?.[1] ?? "";
  const part = await own.s3("PUT", "own", { key: "up", query: { uploadId, partNumber: "1" }, body: "part" });
  const etag = part.headers.get("etag");
  const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
  const end = () => own.s3("POST", "own", { key: "up", query: { uploadId }, body });
  refuse(({ kind }) => kind === "completeUpload");
  expect([(await end()).code, await isThere("up")]).toEqual(["SlowDown", false]);
  restore();
  expect([(await end()).status, (await end()).status, await isThere("up")]).toEqual([200, 200, true]);
});

test("what had no room to wait leaves no file of its bytes", async () => {
  const { objectStore, config } = own.node.ctx;
  const files = () => readdirSync(join(config.data_dir, "objects/blobs"), { recursive: true, withFileTypes: true });
  const bucketId = objectStore.findBucket("own")?.id ?? "";
  const incoming = await objectStore.receive();
  await incoming.add(new Uint8Array(1_000_000));
  const blob = await incoming.finish();
  expect(files().filter((file) => file.isFile()).length).toBe(1);
  const when = { etag: "e".repeat(2 * 1024 * 1024) };
  const about = { bucketId, key: new Uint8Array(1) };
  const first = Array.from({ length: 15 }, () => objectStore.change({ kind: "remove", ...about, when }));
  const late = { kind: "put", blob, ...about, etag: "e", facts: "f".repeat(2 * 1024 * 1024), at: 1, when: {} } as const;
  expect(await objectStore.change(late).catch(({ code }) => code)).toBe("unavailable");
  await Promise.all(first);
  await objectStore.tidy();
  expect(files().filter((file) => file.isFile()).length).toBe(0);
});
