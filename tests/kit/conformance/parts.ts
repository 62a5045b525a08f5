import { expect } from "bun:test";
import { type Cases, type S3Suite, textsIn } from "../s3-suite.ts";

/** Parts and attributes of objects. */
export function partCases(own: S3Suite): Cases {
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

  return {
    multipart_get_part: async () => {
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
    },
    non_multipart_get_part: async () => {
      await own.put("single", "body");
      const part = await own.get("single", {}, { partNumber: "1" });
      expect([part.status, part.text, part.headers.get("x-amz-mp-parts-count")]).toEqual([206, "body", null]);
      expect((await own.get("single", {}, { partNumber: "2" })).code).toBe("InvalidPartNumber");
      await own.put("empty", "");
      expect(await own.get("empty", {}, { partNumber: "1" })).toMatchObject({ status: 206, text: "" });
    },
    get_multipart_object_attributes: async () => {
      await storeParts("large");
      const { text, status, headers } = await ask("large", "ETag,ObjectParts,StorageClass,ObjectSize");
      expect([status, headers.get("last-modified")]).toEqual([200, expect.stringContaining("GMT")]);
      expect(textsIn(text, /<ETag>([^<]*)</g)).toEqual([expect.stringMatching(/^[0-9a-f]{32}-2$/)]);
      expect([numbersIn(text, "PartsCount"), numbersIn(text, "Size"), numbersIn(text, "ObjectSize")]).toEqual([
        [2],
        [LARGE.length, 7],
        [LARGE.length + 7],
      ]);
    },
    get_paginated_multipart_object_attributes: async () => {
      await storeParts("large");
      const page = (await ask("large", "ObjectParts", { "x-amz-max-parts": "1" })).text;
      expect([numbersIn(page, "PartNumber"), numbersIn(page, "NextPartNumberMarker")]).toEqual([[1], [1]]);
      const rest = (await ask("large", "ObjectParts", { "x-amz-part-number-marker": "1" })).text;
      expect([numbersIn(rest, "PartNumber"), rest.includes("<IsTruncated>false")]).toEqual([[2], true]);
    },
    get_single_multipart_object_attributes: async () => {
      await own.storeInParts("single", ["one part"]);
      const { text } = await ask("single", "ETag,ObjectParts,ObjectSize");
      expect([numbersIn(text, "PartsCount"), numbersIn(text, "Size"), numbersIn(text, "ObjectSize")]).toEqual([
        [1],
        [8],
        [8],
      ]);
    },
    get_object_attributes: async () => {
      const { headers } = await own.put("foo", "foo");
      const { text } = await ask("foo", "ETag,Checksum,ObjectParts,StorageClass,ObjectSize");
      const etag = textsIn(text, /<ETag>([^<]*)</g)[0];
      expect([`"${etag}"`, numbersIn(text, "ObjectSize"), text.includes("ObjectParts")]).toEqual([
        headers.get("etag") ?? "",
        [3],
        false,
      ]);
    },
    multipart_checksum_sha256: async () => {
      const sha256 = (bytes: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("base64");
      const begin = async (key: string, headers: Record<string, string>) => {
        const { text, headers: told } = await own.call("POST", { key, query: { uploads: "" }, headers });
        return { uploadId: textsIn(text, /<UploadId>(.*?)</g)[0] ?? "", told };
      };
      const { uploadId, told } = await begin("foo", { "x-amz-checksum-algorithm": "SHA256" });
      expect(told.get("x-amz-checksum-algorithm")).toBe("SHA256");
      const sum = sha256("bar");
      const query = { uploadId, partNumber: "1" };
      const part = await own.call("PUT", { key: "foo", query, body: "bar", headers: { "x-amz-checksum-sha256": sum } });
      const etag = part.headers.get("etag") ?? "";
      const end = (inside: string, promised?: string) =>
        own.call("POST", {
          key: "foo",
          query: { uploadId },
          headers: promised === undefined ? {} : { "x-amz-checksum-sha256": promised },
          body: `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag>${inside}</Part></CompleteMultipartUpload>`,
        });
      const whole = `${sha256(Buffer.from(sum, "base64"))}-1`;
      const named = `<ChecksumSHA256>${sum}</ChecksumSHA256>`;
      expect((await end(named, "bad")).code).toBe("BadDigest");
      expect((await end("", "bad")).code).toBe("BadDigest");
      expect((await end(`<ChecksumSHA256>A${sum.slice(1)}</ChecksumSHA256>`)).code).toBe("InvalidPart");
      expect((await end(named, whole)).text).toContain(`<ChecksumSHA256>${whole}</ChecksumSHA256>`);
      const headers = { "x-amz-checksum-mode": "ENABLED" };
      const read = (await own.call("HEAD", { key: "foo", headers })).headers;
      expect([read.get("x-amz-checksum-sha256"), read.get("x-amz-checksum-type")]).toEqual([whole, "COMPOSITE"]);
      expect((await own.call("HEAD", { key: "foo" })).headers.get("x-amz-checksum-sha256")).toBeNull();
    },
    get_checksum_object_attributes: async () => {
      await own.put("summed", "hello", { "x-amz-checksum-crc32": "NhCmhg==" });
      const { text } = await ask("summed", "Checksum,ObjectParts,ObjectSize");
      expect(textsIn(text, /<ChecksumCRC32>([^<]*)</g)).toEqual(["NhCmhg=="]);
      expect([text.includes("ObjectParts"), text.includes("ETag")]).toEqual([false, false]);
      for (const wanted of ["", "Everything"]) expect((await ask("summed", wanted)).code).toBe("InvalidArgument");
      expect((await ask("none", "ETag")).code).toBe("NoSuchKey");
    },
    multipart_upload_multiple_sizes: async () => {
      for (const [index, bodies] of [[LARGE], [LARGE, "x"], [LARGE, LARGE]].entries()) {
        expect((await own.storeInParts(`sizes-${index}`, bodies)).status).toBe(200);
        const { headers } = await own.call("HEAD", { key: `sizes-${index}` });
        expect(headers.get("content-length")).toBe(String(bodies.join("").length));
      }
    },
    multipart_upload_contents: async () => {
      const last = "z".repeat(100);
      const { status } = await own.storeInParts("mymultipart", [LARGE, last]);
      expect([status, (await own.get("mymultipart")).text === LARGE + last]).toEqual([200, true]);
      const middle = await own.get("mymultipart", { range: `bytes=${LARGE.length - 2}-${LARGE.length + 1}` });
      expect(middle.text).toBe("aazz");
    },
    multipart_upload: async () => {
      const headers = { "content-type": "text/bla", "x-amz-meta-foo": "bar" };
      const { text } = await own.call("POST", { key: "mymultipart", query: { uploads: "" }, headers });
      const uploadId = textsIn(text, /<UploadId>(.*?)</g)[0] ?? "";
      const parts: [number, string][] = [];
      for (const [index, body] of [LARGE, "the end"].entries())
        parts.push([index + 1, await own.part("mymultipart", uploadId, index + 1, body)]);
      // Both at once, and once more: the answer to the first may be lost.
      const ends = [...(await Promise.all([1, 2].map(() => own.complete("mymultipart", uploadId, parts))))];
      ends.push(await own.complete("mymultipart", uploadId, parts));
      const first = ends[0]?.text ?? "";
      expect(ends.map(({ status, text: said }) => [status, said])).toEqual(ends.map(() => [200, first]));
      expect((await own.complete("mymultipart", uploadId, parts.slice(0, 1))).code).toBe("InvalidPart");
      expect((await own.call("DELETE", { key: "mymultipart", query: { uploadId } })).status).toBe(204);
      const read = await own.get("mymultipart");
      expect([
        read.text === `${LARGE}the end`,
        read.headers.get("content-type"),
        read.headers.get("x-amz-meta-foo"),
      ]).toEqual([true, "text/bla", "bar"]);
      expect((await own.list({ prefix: "mymultipart" })).keys).toEqual(["mymultipart"]);
      for (const query of [{ uploadId }, { uploadId, partNumber: "1" }])
        expect((await own.call("partNumber" in query ? "PUT" : "GET", { key: "mymultipart", query })).code).toBe(
          "NoSuchUpload",
        );
      // What is there now is of another making.
      await own.put("mymultipart", "later");
      expect((await own.complete("mymultipart", uploadId, parts)).code).toBe("NoSuchUpload");
      expect((await own.call("DELETE", { key: "mymultipart", query: { uploadId } })).code).toBe("NoSuchUpload");
    },
    multipart_upload_resend_part: async () => {
      const uploadId = await own.begin("mymultipart");
      await own.part("mymultipart", uploadId, 1, "first");
      const etag = await own.part("mymultipart", uploadId, 1, "again");
      await own.complete("mymultipart", uploadId, [[1, etag]]);
      expect((await own.get("mymultipart")).text).toBe("again");
    },
    multipart_upload_complete_without_create: async () =>
      expect((await own.complete("mymultipart", "never-begun", [[1, "x"]])).code).toBe("NoSuchUpload"),
    multipart_list_parts: async () => {
      const uploadId = await own.begin("mymultipart");
      for (const number of [1, 3, 7]) await own.part("mymultipart", uploadId, number, `part ${number}`);
      const page = async (query: Record<string, string>) =>
        (await own.get("mymultipart", {}, { uploadId, ...query })).text;
      const first = await page({ "max-parts": "2" });
      expect([numbersIn(first, "PartNumber"), numbersIn(first, "NextPartNumberMarker")]).toEqual([[1, 3], [3]]);
      const rest = await page({ "part-number-marker": "3" });
      expect([numbersIn(rest, "PartNumber"), numbersIn(rest, "Size"), rest.includes("<IsTruncated>false")]).toEqual([
        [7],
        [6],
        true,
      ]);
    },
    multipart_single_get_part: async () => {
      await own.storeInParts("mymultipart", ["one part"]);
      const { status, text, headers } = await own.get("mymultipart", {}, { partNumber: "1" });
      expect([status, text, headers.get("x-amz-mp-parts-count")]).toEqual([206, "one part", "1"]);
      expect((await own.get("mymultipart", {}, { partNumber: "5" })).code).toBe("InvalidPartNumber");
    },
    set_multipart_tagging: async () => {
      await own.storeInParts("mymultipart", ["a"], { "x-amz-tagging": "Hello=World&foo=bar" });
      const tags = async () =>
        textsIn((await own.get("mymultipart", {}, { tagging: "" })).text, /<Tag>(?:<Key>)([^<]*)</g);
      expect(await tags()).toEqual(["Hello", "foo"]);
      expect((await own.call("DELETE", { key: "mymultipart", query: { tagging: "" } })).status).toBe(204);
      expect(await tags()).toEqual([]);
    },
    multipart_copy_without_range: async () => {
      await own.put("foo", "0123456789");
      expect(await own.copyInParts("/suite/foo")).toBe("0123456789");
    },
    multipart_copy_special_names: async () => {
      for (const name of [" ", "_", "__", "?versionId"]) {
        await own.put(name, `body of ${name}`);
        expect(await own.copyInParts(`/suite/${own.s3.escape(name)}`)).toBe(`body of ${name}`);
      }
    },
    multipart_copy_multiple_sizes: async () => {
      await own.put("foo", `${LARGE}the end`);
      const size = LARGE.length + 7;
      for (const ranges of [[`0-${size - 1}`], [`0-${LARGE.length - 1}`, `${LARGE.length}-${size - 1}`]])
        expect((await own.copyInParts("/suite/foo", ranges)) === `${LARGE}the end`).toBe(true);
    },
    upload_part_copy_percent_encoded_key: async () => {
      await own.put("anyfilename%25.txt", "foo");
      const uploadId = await own.begin("anyfile.txt");
      const query = { uploadId, partNumber: "1" };
      const from = (path: string) =>
        own.call("PUT", { key: "anyfile.txt", query, headers: { "x-amz-copy-source": `/suite/${path}` } });
      expect((await from("anyfilename%25.txt")).code).toBe("NoSuchKey");
      expect((await from("anyfilename%2525.txt")).status).toBe(200);
    },
  };
}
