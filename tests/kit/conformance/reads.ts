import { expect } from "bun:test";
import { type Cases, type S3Suite, textsIn } from "../s3-suite.ts";

const PAST = "Sat, 29 Oct 1994 19:43:31 GMT";
const FUTURE = "Tue, 29 Oct 2080 19:43:31 GMT";

/** Conditions and ranges of reading, copies, tags, and pages of other origins. */
export const readCases = (own: S3Suite): Cases => ({
  get_object_ifmatch_good: async () => {
    const { headers } = await own.put("foo");
    expect((await own.get("foo", { "if-match": headers.get("etag") ?? "" })).text).toBe("bar");
  },
  get_object_ifnonematch_good: async () => {
    const { headers } = await own.put("foo");
    expect((await own.get("foo", { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  },
  get_object_ifnonematch_failed: async () => {
    await own.put("foo");
    expect((await own.get("foo", { "if-none-match": "ABCORZ" })).text).toBe("bar");
  },
  get_object_ifmodifiedsince_good: async () => {
    await own.put("foo");
    expect((await own.get("foo", { "if-modified-since": PAST })).text).toBe("bar");
  },
  get_object_ifmodifiedsince_failed: async () => {
    const { headers } = await own.put("foo");
    const answer = await own.get("foo", { "if-modified-since": FUTURE });
    expect([answer.status, answer.headers.get("etag")]).toEqual([304, headers.get("etag")]);
  },
  get_object_ifunmodifiedsince_failed: async () => {
    await own.put("foo");
    expect((await own.get("foo", { "if-unmodified-since": FUTURE })).text).toBe("bar");
  },
  ranged_big_request_response_code: async () => {
    const body = Array.from({ length: 800_000 }, (_, index) => String(index % 10)).join("");
    await own.put("testobj", body);
    const { status, text, headers } = await own.get("testobj", { range: "bytes=31456-524288" });
    expect([status, text === body.slice(31_456, 524_289), headers.get("content-range")]).toEqual([
      206,
      true,
      "bytes 31456-524288/800000",
    ]);
  },
  ranged_request_skip_leading_bytes_response_code: async () => {
    await own.put("testobj", "testcontent");
    const { status, text, headers } = await own.get("testobj", { range: "bytes=4-" });
    expect([status, text, headers.get("content-range")]).toEqual([206, "content", "bytes 4-10/11"]);
  },
  ranged_request_return_trailing_bytes_response_code: async () => {
    await own.put("testobj", "testcontent");
    const { status, text, headers } = await own.get("testobj", { range: "bytes=-7" });
    expect([status, text, headers.get("content-range")]).toEqual([206, "content", "bytes 4-10/11"]);
  },
  object_write_file: async () => {
    await own.put("foo", "bar");
    expect((await own.get("foo")).text).toBe("bar");
  },
  object_put_authenticated: async () => expect((await own.put("foo", "foo")).status).toBe(200),
  object_raw_authenticated: async () => {
    await own.s3("PUT", "open-suite", { key: "foo", body: "bar" });
    expect((await own.s3("GET", "open-suite", { key: "foo" })).status).toBe(200);
  },
  object_raw_authenticated_object_gone: async () => {
    await own.put("foo");
    await own.call("DELETE", { key: "foo" });
    expect(await own.get("foo")).toMatchObject({ status: 404, code: "NoSuchKey" });
  },
  object_set_get_metadata_overwrite_to_empty: async () => {
    for (const text of ["oldmeta", ""]) {
      await own.put("foo", "bar", { "x-amz-meta-meta1": text });
      expect((await own.get("foo")).headers.get("x-amz-meta-meta1")).toBe(text);
    }
  },
  object_checksum_crc64nvme: async () => {
    const body = "A".repeat(1024);
    const sum = "Qeh8oXvGiSo=";
    await own.put("myobj", body, { "x-amz-checksum-crc64nvme": sum });
    const read = async (headers: Record<string, string>) =>
      (await own.call("HEAD", { key: "myobj", headers })).headers.get("x-amz-checksum-crc64nvme");
    expect([await read({}), await read({ "x-amz-checksum-mode": "ENABLED" })]).toEqual([null, sum]);
    expect((await own.put("myobj", body, { "x-amz-checksum-crc64nvme": `A${sum.slice(1)}` })).code).toBe("BadDigest");
  },
  bucket_create_special_key_names: async () => {
    const names = [" ", '"', "$", "%", "&", "'", "<", ">", "_", "_ ", "_ _", "__"];
    await own.fill(names);
    expect((await own.list({})).keys).toEqual(names);
    for (const name of names) {
      expect((await own.get(name)).text).toBe(name);
      const headers = { "x-amz-acl": "private" };
      expect((await own.call("PUT", { key: name, query: { acl: "" }, headers })).status).toBe(200);
    }
  },
  object_copy_same_bucket: async () => {
    await own.put("foo123bar", "foo");
    await own.call("PUT", { key: "bar321foo", headers: { "x-amz-copy-source": "suite/foo123bar" } });
    expect((await own.get("bar321foo")).text).toBe("foo");
  },
  object_copy_16m: async () => {
    await own.put("obj1", "\0".repeat(16 * 1024 * 1024));
    await own.call("PUT", { key: "obj2", headers: { "x-amz-copy-source": "suite/obj1" } });
    expect((await own.call("HEAD", { key: "obj2" })).headers.get("content-length")).toBe(String(16 * 1024 * 1024));
  },
  object_copy_retaining_metadata: async () => {
    await own.put("foo123bar", "foo", { "content-type": "audio/ogg", "x-amz-meta-key1": "value1" });
    await own.call("PUT", { key: "bar321foo", headers: { "x-amz-copy-source": "suite/foo123bar" } });
    const { headers } = await own.get("bar321foo");
    expect([headers.get("content-type"), headers.get("x-amz-meta-key1")]).toEqual(["audio/ogg", "value1"]);
  },
  object_copy_replacing_metadata: async () => {
    await own.put("foo123bar", "foo", { "content-type": "audio/ogg", "x-amz-meta-key1": "value1" });
    const headers = {
      "x-amz-copy-source": "suite/foo123bar",
      "x-amz-metadata-directive": "REPLACE",
      "content-type": "audio/mpeg",
      "x-amz-meta-key3": "value3",
    };
    await own.call("PUT", { key: "bar321foo", headers });
    const read = (await own.get("bar321foo")).headers;
    expect([read.get("content-type"), read.get("x-amz-meta-key1"), read.get("x-amz-meta-key3")]).toEqual([
      "audio/mpeg",
      null,
      "value3",
    ]);
  },
  copy_object_ifmatch_good: async () => {
    const { headers } = await own.put("foo");
    const when = { "x-amz-copy-source": "suite/foo", "x-amz-copy-source-if-match": headers.get("etag") ?? "" };
    expect((await own.call("PUT", { key: "bar", headers: when })).status).toBe(200);
    expect((await own.get("bar")).text).toBe("bar");
  },
  copy_object_ifnonematch_good: async () => {
    await own.put("foo");
    const when = { "x-amz-copy-source": "suite/foo", "x-amz-copy-source-if-none-match": "ABCORZ" };
    expect((await own.call("PUT", { key: "bar", headers: when })).status).toBe(200);
  },
  copy_object_ifnonematch_failed: async () => {
    const { headers } = await own.put("foo");
    const when = { "x-amz-copy-source": "suite/foo", "x-amz-copy-source-if-none-match": headers.get("etag") ?? "" };
    expect((await own.call("PUT", { key: "bar", headers: when })).code).toBe("PreconditionFailed");
  },
  multi_objectv2_delete: async () => {
    await own.fill(["key0", "key1", "key2"]);
    const body = `<Delete>${["key0", "key1", "key2"].map((key) => `<Object><Key>${key}</Key></Object>`).join("")}</Delete>`;
    for (let turn = 0; turn < 2; turn += 1) {
      const { text } = await own.call("POST", { query: { delete: "" }, body });
      expect([textsIn(text, /<Deleted><Key>(.*?)</g).length, text.includes("<Error>")]).toEqual([3, false]);
      expect((await own.list({ "list-type": "2" })).count).toBe(0);
    }
  },
  multi_objectv2_delete_key_limit: async () => {
    const body = `<Delete>${Array.from({ length: 1_001 }, (_, at) => `<Object><Key>${at}</Key></Object>`).join("")}</Delete>`;
    expect(await own.call("POST", { query: { delete: "" }, body })).toMatchObject({
      status: 400,
      code: "MalformedXML",
    });
  },
  get_obj_tagging: async () => {
    await own.tag(2, 3, 3);
    const { text } = await own.get("foo", {}, { tagging: "" });
    expect(textsIn(text, /<Key>([^<]*)</g)).toEqual(["kk0", "kk1"]);
  },
  get_obj_head_tagging: async () => {
    await own.tag(2, 3, 3);
    expect((await own.call("HEAD", { key: "foo" })).headers.get("x-amz-tagging-count")).toBe("2");
  },
  put_max_kvsize_tags: async () => {
    expect((await own.tag(10, 128, 256)).status).toBe(200);
    const { text } = await own.get("foo", {}, { tagging: "" });
    expect(textsIn(text, /<Value>([^<]*)</g)).toEqual(Array.from({ length: 10 }, () => "v".repeat(256)));
  },
  put_modify_tags: async () => {
    await own.tag(2, 3, 3);
    const body = "<Tagging><TagSet><Tag><Key>key3</Key><Value>val3</Value></Tag></TagSet></Tagging>";
    await own.call("PUT", { key: "foo", query: { tagging: "" }, body });
    expect(textsIn((await own.get("foo", {}, { tagging: "" })).text, /<Key>([^<]*)</g)).toEqual(["key3"]);
  },
  set_cors: async () => {
    const cors = { query: { cors: "" } };
    expect((await own.call("GET", cors)).code).toBe("NoSuchCORSConfiguration");
    const rules = ["<AllowedMethod>GET</AllowedMethod>", "<AllowedMethod>PUT</AllowedMethod>"];
    const body = `<CORSConfiguration><CORSRule>${rules.join("")}<AllowedOrigin>*.get</AllowedOrigin></CORSRule></CORSConfiguration>`;
    expect((await own.call("PUT", { ...cors, body })).status).toBe(200);
    const { text } = await own.call("GET", cors);
    expect([...rules, "<AllowedOrigin>*.get</AllowedOrigin>"].every((rule) => text.includes(rule))).toBe(true);
    expect((await own.call("DELETE", cors)).status).toBe(204);
    expect((await own.call("GET", cors)).status).toBe(404);
  },
  cors_header_option: async () => {
    const body =
      "<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin><ExposeHeader>x-amz-meta-header1</ExposeHeader></CORSRule></CORSConfiguration>";
    await own.call("PUT", { query: { cors: "" }, body });
    const ask = (headers: Record<string, string>) =>
      fetch(`${own.url}/${own.BUCKET}/bar`, {
        method: "OPTIONS",
        headers: { origin: "example.origin", "access-control-request-method": "GET", ...headers },
      });
    expect((await ask({ "access-control-request-headers": "x-amz-meta-header2" })).status).toBe(403);
    expect((await ask({})).status).toBe(200);
  },
  cors_origin_wildcard: async () => {
    const body =
      "<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin></CORSRule></CORSConfiguration>";
    await own.s3("PUT", "open-suite", { query: { cors: "" }, body });
    const allowed = async (headers: Record<string, string>) =>
      (await fetch(`${own.url}/open-suite/none`, { headers })).headers.get("access-control-allow-origin");
    expect([await allowed({}), await allowed({ origin: "example.origin" })]).toEqual([null, "*"]);
  },
  cors_origin_response: async () => {
    const rule = (origin: string, method: string) =>
      `<CORSRule><AllowedMethod>${method}</AllowedMethod><AllowedOrigin>${origin}</AllowedOrigin></CORSRule>`;
    const body = `<CORSConfiguration>${rule("*suffix", "GET")}${rule("start*end", "GET")}${rule("prefix*", "GET")}${rule("*.put", "PUT")}</CORSConfiguration>`;
    await own.s3("PUT", "open-suite", { query: { cors: "" }, body });
    const allowed = async (origin: string, method = "GET") =>
      (await fetch(`${own.url}/open-suite/none`, { method, headers: { origin } })).headers.get(
        "access-control-allow-origin",
      );
    for (const origin of ["foo.suffix", "startend", "start1end", "start12end", "prefix", "prefix.suffix"])
      expect([origin, await allowed(origin)]).toEqual([origin, origin]);
    for (const origin of ["foo.bar", "foo.suffix.get", "0start12end", "bla.prefix"])
      expect([origin, await allowed(origin)]).toEqual([origin, null]);
    expect([await allowed("foo.put"), await allowed("foo.put", "PUT")]).toEqual([null, "foo.put"]);
    const [one, two] = ["https://app.example.test", "https://admin.example.test"];
    const both = `<AllowedOrigin>${one}</AllowedOrigin><AllowedOrigin>${two}</AllowedOrigin>`;
    const together = `<CORSConfiguration><CORSRule><AllowedMethod>PUT</AllowedMethod>${both}</CORSRule></CORSConfiguration>`;
    await own.s3("PUT", "open-suite", { query: { cors: "" }, body: together });
    for (const origin of [one, two]) expect(await allowed(origin, "PUT")).toBe(origin);
  },
  cors_presigned_get_object: () => askFirst(own, "GET"),
  cors_presigned_put_object: () => askFirst(own, "PUT"),
});

/** A browser asks whether it may send what somebody signed for it. */
async function askFirst(own: S3Suite, method: string): Promise<void> {
  await own.put("foo");
  const link = own.s3.presign(method, own.BUCKET, "foo", 100_000);
  const body = `<CORSConfiguration><CORSRule><AllowedMethod>${method}</AllowedMethod><AllowedOrigin>example</AllowedOrigin></CORSRule></CORSConfiguration>`;
  await own.call("PUT", { query: { cors: "" }, body });
  const headers = { origin: "example", "access-control-request-method": method };
  const answer = await fetch(link, { method: "OPTIONS", headers });
  expect([
    answer.status,
    answer.headers.get("access-control-allow-origin"),
    answer.headers.get("access-control-allow-methods"),
  ]).toEqual([200, "example", method]);
}
