import { expect } from "bun:test";
import { type Cases, type S3Suite, textsIn } from "../s3-suite.ts";

/** Storing, reading and removing objects. */
export const objectCases = (own: S3Suite): Cases => ({
  bucket_head: async () => expect((await own.call("HEAD")).status).toBe(200),
  bucket_head_notexist: async () => expect((await own.call("HEAD", {}, "nothing-here")).status).toBe(404),
  bucket_get_location: async () => expect((await own.call("GET", { query: { location: "" } })).status).toBe(200),
  list_buckets_anonymous: async () => expect((await fetch(`${own.url}/`)).status).toBe(403),
  object_write_to_nonexist_bucket: async () =>
    expect((await own.call("PUT", { key: "foo", body: "" }, "nothing-here")).code).toBe("NoSuchBucket"),
  object_write_with_chunked_transfer_encoding: async () => {
    await own.call("PUT", { key: "foo", body: "bar".repeat(50_000), chunked: "unsigned-trailer" });
    expect((await own.get("foo")).text).toBe("bar".repeat(50_000));
  },
  object_read_not_exist: async () => expect((await own.get("bar")).code).toBe("NoSuchKey"),
  object_requestid_matches_header_on_error: async () => {
    const { text, headers } = await own.get("bar");
    expect(text).toContain(`<RequestId>${headers.get("x-amz-request-id")}</RequestId>`);
  },
  object_head_zero_bytes: async () => {
    await own.put("foo", "");
    expect((await own.call("HEAD", { key: "foo" })).headers.get("content-length")).toBe("0");
  },
  object_write_check_etag: async () =>
    expect((await own.put("foo")).headers.get("etag")).toBe('"37b51d194a7513e45b56f6524f2d51f2"'),
  object_write_cache_control: async () => {
    await own.put("foo", "bar", { "cache-control": "public, max-age=14400" });
    expect((await own.call("HEAD", { key: "foo" })).headers.get("cache-control")).toBe("public, max-age=14400");
  },
  object_write_expires: async () => {
    await own.put("foo", "bar", { expires: "Thu, 01 Jan 2032 00:00:00 GMT" });
    expect((await own.call("HEAD", { key: "foo" })).headers.get("expires")).toBe("Thu, 01 Jan 2032 00:00:00 GMT");
  },
  object_write_read_update_read_delete: async () => {
    await own.put("foo", "bar");
    await own.put("foo", "soup");
    expect((await own.get("foo")).text).toBe("soup");
    expect((await own.call("DELETE", { key: "foo" })).status).toBe(204);
  },
  object_set_get_metadata_none_to_good: async () => {
    await own.put("foo", "bar", { "x-amz-meta-meta1": "mymeta" });
    expect((await own.get("foo")).headers.get("x-amz-meta-meta1")).toBe("mymeta");
  },
  object_set_get_metadata_none_to_empty: async () => {
    await own.put("foo", "bar", { "x-amz-meta-meta1": "" });
    expect((await own.get("foo")).headers.get("x-amz-meta-meta1")).toBe("");
  },
  object_metadata_replaced_on_put: async () => {
    await own.put("foo", "bar", { "x-amz-meta-meta1": "bar" });
    await own.put("foo", "bar");
    expect((await own.get("foo")).headers.get("x-amz-meta-meta1")).toBeNull();
  },
  object_content_encoding_aws_chunked: async () => {
    await own.put("foo", "bar", { "content-encoding": "gzip, aws-chunked" });
    expect((await own.call("HEAD", { key: "foo" })).headers.get("content-encoding")).toBe("gzip");
  },
  multi_object_delete: async () => {
    await own.fill(["key0", "key1"]);
    const body = "<Delete><Object><Key>key0</Key></Object><Object><Key>key1</Key></Object></Delete>";
    for (let turn = 0; turn < 2; turn += 1) {
      const { text } = await own.call("POST", { query: { delete: "" }, body });
      expect([textsIn(text, /<Deleted><Key>(.*?)</g), text.includes("<Error>")]).toEqual([["key0", "key1"], false]);
    }
  },
  multi_object_delete_key_limit: async () => {
    const body = `<Delete>${"<Object><Key>k</Key></Object>".repeat(1_001)}</Delete>`;
    expect((await own.call("POST", { query: { delete: "" }, body })).code).toBe("MalformedXML");
  },
  object_raw_get: async () => {
    await own.s3("PUT", "open-suite", { key: "foo", body: "bar" });
    expect(await (await fetch(`${own.url}/open-suite/foo`)).text()).toBe("bar");
  },
  object_raw_get_object_gone: async () => expect((await fetch(`${own.url}/open-suite/gone`)).status).toBe(404),
  object_raw_response_headers: async () => {
    await own.put("foo");
    const query = { "response-content-type": "foo/bar", "response-cache-control": "no-cache" };
    const { headers } = await own.get("foo", {}, query);
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual(["foo/bar", "no-cache"]);
  },
  object_raw_get_x_amz_expires_out_range_zero: async () =>
    expect((await fetch(own.s3.presign("GET", own.BUCKET, "foo", 0))).status).toBe(400),
  object_raw_get_x_amz_expires_out_max_range: async () =>
    expect((await fetch(own.s3.presign("GET", own.BUCKET, "foo", 609_901))).status).toBe(400),
  object_raw_get_x_amz_expires_not_expired: async () => {
    await own.put("foo");
    expect((await fetch(own.s3.presign("GET", own.BUCKET, "foo", 100_000))).status).toBe(200);
  },
  object_anon_put: async () =>
    expect((await fetch(`${own.url}/${own.BUCKET}/foo`, { method: "PUT", body: "foo" })).status).toBe(403),
  object_anon_put_write_access: async () =>
    expect((await fetch(`${own.url}/open-suite/foo`, { method: "PUT", body: "foo" })).status).toBe(403),
  get_object_ifmatch_failed: async () => {
    await own.put("foo");
    expect((await own.get("foo", { "if-match": '"ABCORZ"' })).code).toBe("PreconditionFailed");
  },
  get_object_ifunmodifiedsince_good: async () => {
    await own.put("foo");
    expect((await own.get("foo", { "if-unmodified-since": "Sat, 29 Oct 1994 19:43:31 GMT" })).status).toBe(412);
  },
  put_object_ifmatch_good: async () => {
    const { headers } = await own.put("foo");
    expect((await own.put("foo", "zar", { "if-match": headers.get("etag") ?? "" })).status).toBe(200);
  },
  put_object_ifmatch_failed: async () => {
    await own.put("foo");
    expect((await own.put("foo", "zar", { "if-match": '"ABCORZ"' })).code).toBe("PreconditionFailed");
    expect((await own.get("foo")).text).toBe("bar");
  },
  put_object_ifmatch_nonexisted_failed: async () =>
    expect((await own.put("foo", "bar", { "if-match": "*" })).status).toBe(404),
  put_object_ifnonmatch_nonexisted_good: async () =>
    expect((await own.put("foo", "bar", { "if-none-match": "*" })).status).toBe(200),
  put_object_ifnonmatch_overwrite_existed_failed: async () => {
    await own.put("foo");
    expect((await own.put("foo", "zar", { "if-none-match": "*" })).code).toBe("PreconditionFailed");
  },
  ...removals(own),
  delete_object_if_match: async () => {
    const { headers } = await own.put("foo");
    expect((await own.call("DELETE", { key: "foo", headers: { "if-match": '"badetag"' } })).status).toBe(412);
    const etag = headers.get("etag") ?? "";
    expect((await own.call("DELETE", { key: "foo", headers: { "if-match": etag } })).status).toBe(204);
  },
  object_copy_zero_size: async () => {
    await own.put("foo", "");
    expect((await own.call("PUT", { key: "bar", headers: { "x-amz-copy-source": `/${own.BUCKET}/foo` } })).status).toBe(
      200,
    );
    expect((await own.call("HEAD", { key: "bar" })).headers.get("content-length")).toBe("0");
  },
  object_copy_verify_contenttype: async () => {
    await own.put("foo", "bar", { "content-type": "audio/ogg" });
    await own.call("PUT", { key: "bar", headers: { "x-amz-copy-source": `/${own.BUCKET}/foo` } });
    expect((await own.get("bar")).headers.get("content-type")).toBe("audio/ogg");
  },
  object_copy_to_itself: async () => {
    await own.put("foo");
    const headers = { "x-amz-copy-source": `/${own.BUCKET}/foo` };
    expect((await own.call("PUT", { key: "foo", headers })).code).toBe("InvalidRequest");
  },
  object_copy_to_itself_with_metadata: async () => {
    await own.put("foo");
    const headers = {
      "x-amz-copy-source": `/${own.BUCKET}/foo`,
      "x-amz-metadata-directive": "REPLACE",
      "x-amz-meta-foo": "bar",
    };
    await own.call("PUT", { key: "foo", headers });
    expect((await own.get("foo")).headers.get("x-amz-meta-foo")).toBe("bar");
  },
  object_copy_diff_bucket: async () => {
    await own.put("foo", "foo");
    await own.s3("PUT", "second", { key: "bar", headers: { "x-amz-copy-source": `${own.BUCKET}/foo` } });
    expect((await own.s3("GET", "second", { key: "bar" })).text).toBe("foo");
  },
  object_copy_bucket_not_found: async () =>
    expect((await own.call("PUT", { key: "bar", headers: { "x-amz-copy-source": "/nothing-here/foo" } })).status).toBe(
      404,
    ),
  object_copy_key_not_found: async () =>
    expect((await own.call("PUT", { key: "bar", headers: { "x-amz-copy-source": `/${own.BUCKET}/foo` } })).status).toBe(
      404,
    ),
  copy_object_ifmatch_failed: async () => {
    await own.put("foo");
    const headers = { "x-amz-copy-source": `${own.BUCKET}/foo`, "x-amz-copy-source-if-match": '"ABCORZ"' };
    expect((await own.call("PUT", { key: "bar", headers })).status).toBe(412);
  },
  multipart_upload_empty: async () => {
    const uploadId = await own.begin("mymultipart");
    const body = "<CompleteMultipartUpload></CompleteMultipartUpload>";
    expect((await own.call("POST", { key: "mymultipart", query: { uploadId }, body })).code).toBe("MalformedXML");
  },
  multipart_upload_small: async () => {
    const uploadId = await own.begin("mymultipart");
    await own.complete("mymultipart", uploadId, [[1, await own.part("mymultipart", uploadId, 1, "a")]]);
    expect((await own.get("mymultipart")).text).toBe("a");
  },
  multipart_upload_size_too_small: async () => {
    const uploadId = await own.begin("mymultipart");
    const parts: [number, string][] = [];
    for (const number of [1, 2]) parts.push([number, await own.part("mymultipart", uploadId, number, "tiny")]);
    expect(["EntityTooSmall", "InvalidPart"]).toContain(
      (await own.complete("mymultipart", uploadId, parts)).code ?? "",
    );
  },
  multipart_upload_missing_part: async () => {
    const uploadId = await own.begin("mymultipart");
    const etag = await own.part("mymultipart", uploadId, 1, "a");
    expect((await own.complete("mymultipart", uploadId, [[9_999, etag]])).code).toBe("InvalidPart");
  },
  multipart_upload_incorrect_etag: async () => {
    const uploadId = await own.begin("mymultipart");
    await own.part("mymultipart", uploadId, 1, "a");
    const wrong = '"ffffffffffffffffffffffffffffffff"';
    expect((await own.complete("mymultipart", uploadId, [[1, wrong]])).code).toBe("InvalidPart");
  },
  multipart_upload_overwrite_existing_object: async () => {
    await own.put("mymultipart", "before");
    const uploadId = await own.begin("mymultipart");
    await own.complete("mymultipart", uploadId, [[1, await own.part("mymultipart", uploadId, 1, "after")]]);
    expect((await own.get("mymultipart")).text).toBe("after");
  },
  multipart_copy_small: async () => {
    await own.put("foo", "0123456789");
    const uploadId = await own.begin("bar");
    const headers = { "x-amz-copy-source": `${own.BUCKET}/foo`, "x-amz-copy-source-range": "bytes=0-4" };
    const { text } = await own.call("PUT", { key: "bar", query: { uploadId, partNumber: "1" }, headers });
    await own.complete("bar", uploadId, [[1, textsIn(text, /<ETag>(.*?)</g)[0] ?? ""]]);
    expect((await own.get("bar")).text).toBe("01234");
  },
  multipart_copy_invalid_range: async () => {
    await own.put("foo", "01234");
    const uploadId = await own.begin("bar");
    const headers = { "x-amz-copy-source": `${own.BUCKET}/foo`, "x-amz-copy-source-range": "bytes=0-21" };
    const { status } = await own.call("PUT", { key: "bar", query: { uploadId, partNumber: "1" }, headers });
    expect([400, 416]).toContain(status);
  },
  multipart_copy_improper_range: async () => {
    await own.put("foo", "01234");
    const uploadId = await own.begin("bar");
    for (const range of ["0-2", "bytes=0", "bytes=hello-world", "bytes=0-bar", "bytes=hello-", "bytes=0-2,3-5"]) {
      const headers = { "x-amz-copy-source": `${own.BUCKET}/foo`, "x-amz-copy-source-range": range };
      const { code } = await own.call("PUT", { key: "bar", query: { uploadId, partNumber: "1" }, headers });
      expect([range, code]).toEqual([range, "InvalidArgument"]);
    }
  },
  abort_multipart_upload: async () => {
    const uploadId = await own.begin("mymultipart");
    await own.part("mymultipart", uploadId, 1, "a");
    expect((await own.call("DELETE", { key: "mymultipart", query: { uploadId } })).status).toBe(204);
    expect((await own.call("GET", { query: { uploads: "" } })).text).not.toContain(uploadId);
  },
  abort_multipart_upload_not_found: async () =>
    expect((await own.call("DELETE", { key: "mymultipart", query: { uploadId: "56788" } })).code).toBe("NoSuchUpload"),
  list_multipart_upload: async () => {
    const ids = [await own.begin("mymultipart"), await own.begin("mymultipart"), await own.begin("mymultipart2")];
    const { text } = await own.call("GET", { query: { uploads: "" } });
    expect(textsIn(text, /<UploadId>(.*?)</g).toSorted()).toEqual(ids.toSorted());
  },
  ranged_request_response_code: async () => {
    await own.put("foo", "testcontent");
    const { status, text, headers } = await own.get("foo", { range: "bytes=4-7" });
    expect([status, text, headers.get("content-range")]).toEqual([206, "cont", "bytes 4-7/11"]);
  },
  ranged_request_invalid_range: async () => {
    await own.put("foo", "testcontent");
    expect((await own.get("foo", { range: "bytes=40-50" })).code).toBe("InvalidRange");
  },
  ranged_request_empty_object: async () => {
    await own.put("foo", "");
    expect((await own.get("foo", { range: "bytes=40-50" })).code).toBe("InvalidRange");
  },
  put_max_tags: async () => expect((await own.tag(10, 128, 256)).status).toBe(200),
  put_excess_tags: async () => expect((await own.tag(11, 3, 3)).code).toBe("InvalidTag"),
  put_excess_key_tags: async () => expect((await own.tag(10, 129, 3)).code).toBe("InvalidTag"),
  put_excess_val_tags: async () => expect((await own.tag(10, 3, 257)).code).toBe("InvalidTag"),
  put_delete_tags: async () => {
    await own.tag(2, 3, 3);
    expect((await own.call("DELETE", { key: "foo", query: { tagging: "" } })).status).toBe(204);
    expect((await own.get("foo", {}, { tagging: "" })).text).not.toContain("<Tag>");
  },
  put_obj_with_tags: async () => {
    await own.put("foo", "bar", { "x-amz-tagging": "foo=bar&bar" });
    expect((await own.get("foo", {}, { tagging: "" })).text).toContain("<Key>foo</Key><Value>bar</Value>");
  },
  get_undefined_public_block: async () =>
    expect((await own.call("GET", { query: { publicAccessBlock: "" } })).code).toBe(
      "NoSuchPublicAccessBlockConfiguration",
    ),
  get_bucket_policy_status: async () =>
    expect((await own.call("GET", { query: { policyStatus: "" } })).text).toContain("<IsPublic>false</IsPublic>"),
  object_lock_get_obj_retention_invalid_bucket: async () => {
    await own.put("foo");
    expect((await own.get("foo", {}, { retention: "" })).code).toBe("NoSuchObjectLockConfiguration");
  },
  object_checksum_sha256: async () => {
    const sum = new Bun.CryptoHasher("sha256").update("bar").digest("base64");
    await own.put("foo", "bar", { "x-amz-checksum-sha256": sum });
    const { headers } = await own.call("HEAD", { key: "foo", headers: { "x-amz-checksum-mode": "ENABLED" } });
    expect(headers.get("x-amz-checksum-sha256")).toBe(sum);
    const { code } = await own.put("foo", "bar", { "x-amz-checksum-sha256": `A${sum.slice(1)}` });
    expect(code).toBe("BadDigest");
  },
  post_object_anonymous_request: async () => {
    const form = new FormData();
    form.append("key", "foo.txt");
    form.append("file", "bar");
    expect((await fetch(`${own.url}/${own.BUCKET}`, { method: "POST", body: form })).status).toBe(403);
  },
});

/** Removals that depend on the object's moment or size, one by one and many at once. */
function removals(own: S3Suite): Cases {
  const wrong = { etag: "bad", last_modified_time: "Thu, 01 Jan 2015 00:00:00 GMT", size: "9999" };
  const names = { etag: "ETag", last_modified_time: "LastModifiedTime", size: "Size" };
  type What = keyof typeof wrong;

  /** A wrong value keeps the object, the right one removes it, and of what is not there nothing is said. */
  async function tryEach(what: What, remove: (value: string) => Promise<{ status: number; code: string | null }>) {
    await own.put("obj", "");
    const { headers } = await own.call("HEAD", { key: "obj" });
    const right =
      { etag: headers.get("etag"), last_modified_time: headers.get("last-modified"), size: "0" }[what] ?? "";
    expect((await remove(wrong[what])).code).toBe("PreconditionFailed");
    expect((await own.call("HEAD", { key: "obj" })).status).toBe(200);
    expect((await remove("x")).code).toBe(what === "etag" ? "PreconditionFailed" : "InvalidArgument");
    expect((await remove(right)).code).toBeNull();
    expect((await own.call("HEAD", { key: "obj" })).status).toBe(404);
    expect([200, 204]).toContain((await remove(wrong[what])).status);
  }
  const one = (what: What) => () =>
    tryEach(what, (value) =>
      own.call("DELETE", { key: "obj", headers: { [`x-amz-if-match-${what.replaceAll("_", "-")}`]: value } }),
    );
  const many = (what: What) => () =>
    tryEach(what, (value) => {
      const condition = `<${names[what]}>${value}</${names[what]}>`;
      const body = `<Delete><Object><Key>obj</Key>${condition}</Object></Delete>`;
      return own.call("POST", { query: { delete: "" }, body });
    });
  return {
    delete_object_if_match_last_modified_time: one("last_modified_time"),
    delete_object_if_match_size: one("size"),
    delete_objects_if_match: many("etag"),
    delete_objects_if_match_last_modified_time: many("last_modified_time"),
    delete_objects_if_match_size: many("size"),
  };
}
