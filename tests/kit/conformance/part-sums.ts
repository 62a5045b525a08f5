import { expect } from "bun:test";
import { type Cases, type S3Suite, textsIn } from "../s3-suite.ts";

const PART = 5 * 1024 * 1024;
const ETAG = "b2add96cc9702bbf4efb0ccdfc6b7747-3";

/** What three parts of `A`, `B` and `C` sum up to, and the object made of them. */
const KNOWN = {
  sha256: {
    kind: "COMPOSITE",
    parts: [
      "275VF5loJr1YYawit0XSHREhkFXYkkPKGuoK0x9VKxI=",
      "mrHwOfjTL5Zwfj74F05HOQGLdUb7E5szdCbxgUSq6NM=",
      "Vw7oB/nKQ5xWb3hNgbyfkvDiivl+U+/Dft48nfJfDow=",
    ],
    whole: "uWBwpe1dxI4Vw8Gf0X9ynOdw/SS6VBzfWm9giiv1sf4=-3",
  },
  sha1: {
    kind: "COMPOSITE",
    parts: ["iIaTCGbm+vdVjNqIMF2S0T7ibMk=", "LS/TJ32bAVKEwRu+sE3X7awh/lk=", "6DDwovUaHwrKNXDMzOGbuvj9kxI="],
    whole: "sizjvY4eud3MrcHdZM3cQ/ol39o=-3",
  },
  crc64nvme: {
    kind: "FULL_OBJECT",
    parts: ["L/E4WYn8v98=", "xW1l19VobYM=", "cK5MnNaWrW4="],
    whole: "i+6LR0y3eFo=",
  },
  crc32: { kind: "FULL_OBJECT", parts: ["JRTCyQ==", "QoZTGg==", "YAgjqw=="], whole: "WgDhBQ==" },
  crc32c: { kind: "FULL_OBJECT", parts: ["MDaLrw==", "TH4EZg==", "Z7mBIQ=="], whole: "xU+Krw==" },
} as const;
type Algorithm = keyof typeof KNOWN;

/** Sums of single parts, from their coming to the reading of the object. */
export function partSumCases(own: S3Suite): Cases {
  const MODE = { "x-amz-checksum-mode": "ENABLED" };

  /** Sends the parts, and gives what ends the upload. */
  async function send(key: string, algorithm: Algorithm) {
    const { kind, parts, whole } = KNOWN[algorithm];
    const wish = { "x-amz-checksum-algorithm": algorithm.toUpperCase(), "x-amz-checksum-type": kind };
    const begun = await own.call("POST", { key, query: { uploads: "" }, headers: wish });
    expect(begun.headers.get("x-amz-checksum-algorithm")).toBe(algorithm.toUpperCase());
    const uploadId = textsIn(begun.text, /<UploadId>(.*?)</g)[0] ?? "";
    const name = `Checksum${algorithm.toUpperCase()}`;
    const lines = [];
    for (const [index, sum] of parts.entries()) {
      const query = { uploadId, partNumber: String(index + 1) };
      const headers = { [`x-amz-checksum-${algorithm}`]: sum };
      const part = await own.call("PUT", { key, query, headers, body: ("ABC"[index] ?? "").repeat(PART) });
      expect(part.headers.get(`x-amz-checksum-${algorithm}`)).toBe(sum);
      const etag = part.headers.get("etag");
      lines.push(`<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag><${name}>${sum}</${name}></Part>`);
    }
    const listed = (await own.get(key, {}, { uploadId })).text;
    expect([textsIn(listed, new RegExp(`<${name}>(.*?)<`, "g")), listed.includes(`<ChecksumType>${kind}<`)]).toEqual([
      [...parts],
      true,
    ]);
    const body = `<CompleteMultipartUpload>${lines.join("")}</CompleteMultipartUpload>`;
    const headers = { [`x-amz-checksum-${algorithm}`]: whole };
    return { name, end: () => own.call("POST", { key, query: { uploadId }, headers, body }) };
  }

  async function useSum(algorithm: Algorithm): Promise<void> {
    const { kind, parts, whole } = KNOWN[algorithm];
    const { name, end } = await send("mymultipart3", algorithm);
    const { text } = await end();
    expect([textsIn(text, new RegExp(`<${name}>(.*?)<`, "g")), text.includes(`<ChecksumType>${kind}<`)]).toEqual([
      [whole],
      true,
    ]);
    const shown = async (query: Record<string, string>, headers: Record<string, string>) => {
      const answer = await own.call("HEAD", { key: "mymultipart3", query, headers });
      return ["type", algorithm].map((one) => answer.headers.get(`x-amz-checksum-${one}`));
    };
    expect(await shown({}, {})).toEqual([null, null]);
    expect(await shown({}, MODE)).toEqual([kind, whole]);
    expect(await shown({}, { ...MODE, range: "bytes=0-99" })).toEqual([null, null]);
    for (const [index, sum] of parts.entries())
      expect(await shown({ partNumber: String(index + 1) }, MODE)).toEqual([kind, sum]);
    const attributes = { "x-amz-object-attributes": "Checksum,ObjectParts", "x-amz-part-number-marker": "1" };
    const about = (await own.get("mymultipart3", attributes, { attributes: "" })).text;
    expect(textsIn(about, new RegExp(`<${name}>(.*?)<`, "g"))).toEqual([whole, ...parts.slice(1)]);
    // A copy has the same bytes, in the same parts.
    await own.call("PUT", { key: "copy", headers: { "x-amz-copy-source": "/suite/mymultipart3" } });
    const copy = await own.call("HEAD", { key: "copy", query: { partNumber: "3" }, headers: MODE });
    expect(copy.headers.get(`x-amz-checksum-${algorithm}`)).toBe(parts[2]);
  }

  return {
    multipart_use_cksum_helper_sha256: () => useSum("sha256"),
    multipart_use_cksum_helper_sha1: () => useSum("sha1"),
    multipart_use_cksum_helper_crc64nvme: () => useSum("crc64nvme"),
    multipart_use_cksum_helper_crc32: () => useSum("crc32"),
    multipart_use_cksum_helper_crc32c: () => useSum("crc32c"),
    multipart_reupload_checksum_and_etag: async () => {
      const { end } = await send("mymultipart", "sha256");
      const [first, again] = [await end(), await end()];
      expect([first.status, first.text.includes(ETAG), again]).toMatchObject([
        200,
        true,
        { status: 200, text: first.text },
      ]);
    },
    get_multipart_checksum_object_attributes: async () => {
      const { end } = await send("multipart_checksum", "sha256");
      await end();
      const headers = { "x-amz-object-attributes": "ETag,Checksum,ObjectParts,StorageClass,ObjectSize" };
      const { text } = await own.get("multipart_checksum", headers, { attributes: "" });
      const { parts, whole } = KNOWN.sha256;
      expect([
        textsIn(text, /<ChecksumSHA256>(.*?)</g),
        textsIn(text, /<Size>(.*?)</g).map(Number),
        textsIn(text, /<(?:PartsCount|ObjectSize)>(.*?)</g).map(Number),
      ]).toEqual([
        [whole, ...parts],
        [PART, PART, PART],
        [3, 3 * PART],
      ]);
    },
  };
}
