import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { openS3Suite, textsIn } from "../../../../../tests/kit/s3-suite.ts";

/**
 * What ceph/s3-tests asks about the parts, the attributes and the one version of an object, under the names it has there (without
 * `test_`), in our own words; what has no name there comes from programs that ask so.
 */
let own: Awaited<ReturnType<typeof openS3Suite>>;
beforeAll(async () => {
  own = await openS3Suite();
});
afterAll(() => own.close());
afterEach(() => own.empty());

const LARGE = "a".repeat(5 * 1024 * 1024);

/** Stores an object of two parts. */
async function storeParts(key: string): Promise<void> {
  const uploadId = await own.begin(key);
  const parts: [number, string][] = [];
  for (const [number, body] of [
    [1, LARGE],
    [4, "the end"],
  ] as const)
    parts.push([number, await own.part(key, uploadId, number, body)]);
  expect((await own.complete(key, uploadId, parts)).status).toBe(200);
}

const ask = (key: string, wanted: string, headers: Record<string, string> = {}) =>
  own.get(key, { "x-amz-object-attributes": wanted, ...headers }, { attributes: "" });
const numbersIn = (text: string, name: string) =>
  textsIn(text, new RegExp(`<${name}>([^<]*)</${name}>`, "g")).map(Number);

test("multipart_get_part", async () => {
  await storeParts("large");
  const first = await own.call("HEAD", { key: "large", query: { partNumber: "1" } });
  expect([first.status, first.headers.get("content-length"), first.headers.get("x-amz-mp-parts-count")]).toEqual([
    206,
    String(LARGE.length),
    "2",
  ]);
  const second = await own.get("large", {}, { partNumber: "2" });
  expect([second.status, second.text, second.headers.get("content-range")]).toEqual([
    206,
    "the end",
    `bytes ${LARGE.length}-${LARGE.length + 6}/${LARGE.length + 7}`,
  ]);
  expect(await own.get("large", {}, { partNumber: "3" })).toMatchObject({ status: 416, code: "InvalidPartNumber" });
  expect((await own.get("large", { range: "bytes=0-1" }, { partNumber: "1" })).code).toBe("InvalidRequest");
  expect((await own.get("large", {}, { partNumber: "x" })).code).toBe("InvalidArgument");
});

test("non_multipart_get_part", async () => {
  await own.put("single", "body");
  const part = await own.get("single", {}, { partNumber: "1" });
  expect([part.status, part.text, part.headers.get("x-amz-mp-parts-count")]).toEqual([206, "body", null]);
  expect((await own.get("single", {}, { partNumber: "2" })).code).toBe("InvalidPartNumber");
  await own.put("empty", "");
  expect(await own.get("empty", {}, { partNumber: "1" })).toMatchObject({ status: 206, text: "" });
});

test("get_multipart_object_attributes, and in pages", async () => {
  await storeParts("large");
  const { text, status, headers } = await ask("large", "ETag,ObjectParts,StorageClass,ObjectSize");
  expect([status, headers.get("last-modified")]).toEqual([200, expect.stringContaining("GMT")]);
  expect(textsIn(text, /<ETag>([^<]*)</g)).toEqual([expect.stringMatching(/^[0-9a-f]{32}-2$/)]);
  expect([numbersIn(text, "PartsCount"), numbersIn(text, "Size"), numbersIn(text, "ObjectSize")]).toEqual([
    [2],
    [LARGE.length, 7],
    [LARGE.length + 7],
  ]);
  const page = (await ask("large", "ObjectParts", { "x-amz-max-parts": "1" })).text;
  expect([numbersIn(page, "PartNumber"), numbersIn(page, "NextPartNumberMarker")]).toEqual([[1], [1]]);
  const rest = (await ask("large", "ObjectParts", { "x-amz-part-number-marker": "1" })).text;
  expect([numbersIn(rest, "PartNumber"), rest.includes("<IsTruncated>false")]).toEqual([[2], true]);
});

test("get_checksum_object_attributes", async () => {
  await own.put("summed", "hello", { "x-amz-checksum-crc32": "NhCmhg==" });
  const { text } = await ask("summed", "Checksum,ObjectParts,ObjectSize");
  expect(textsIn(text, /<ChecksumCRC32>([^<]*)</g)).toEqual(["NhCmhg=="]);
  expect([text.includes("ObjectParts"), text.includes("ETag")]).toEqual([false, false]);
  for (const wanted of ["", "Everything"]) expect((await ask("summed", wanted)).code).toBe("InvalidArgument");
  expect((await ask("none", "ETag")).code).toBe("NoSuchKey");
});

test("each object is its one version, page after page", async () => {
  await own.fill(["a", "b/1", "b/2", "c"]);
  const first = (await own.call("GET", { query: { versions: "", "max-keys": "2" } })).text;
  expect(textsIn(first, /<Key>([^<]*)</g)).toEqual(["a", "b/1"]);
  expect([textsIn(first, /<NextKeyMarker>([^<]*)</g), textsIn(first, /<NextVersionIdMarker>([^<]*)</g)]).toEqual([
    ["b/1"],
    ["null"],
  ]);
  const marker = { versions: "", "key-marker": "b/1", "version-id-marker": "null" };
  const rest = (await own.call("GET", { query: marker })).text;
  expect([textsIn(rest, /<Key>([^<]*)</g), textsIn(rest, /<IsLatest>([^<]*)</g)]).toEqual([
    ["b/2", "c"],
    ["true", "true"],
  ]);
  const folders = (await own.call("GET", { query: { versions: "", delimiter: "/" } })).text;
  expect(textsIn(folders, /<Prefix>(b[^<]*)</g)).toEqual(["b/"]);
});

test("a version that is not here is neither read nor removed", async () => {
  await own.put("kept", "body");
  const versionId = "3sL4kqtJlcpXroDTDmJ";
  for (const method of ["GET", "DELETE"] as const)
    expect((await own.call(method, { key: "kept", query: { versionId } })).code).toBe("NoSuchVersion");
  const many = (version: string) =>
    own.call("POST", {
      query: { delete: "" },
      body: `<Delete><Object><Key>kept</Key><VersionId>${version}</VersionId></Object></Delete>`,
    });
  expect((await many(versionId)).text).toContain("<Code>NoSuchVersion</Code>");
  expect((await own.get("kept", {}, { versionId: "null" })).text).toBe("body");
  expect((await many("null")).text).toContain("<Deleted>");
  expect((await own.get("kept")).code).toBe("NoSuchKey");
});
