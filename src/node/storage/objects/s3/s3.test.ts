import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { createSignedCalls, type SignedCalls } from "../../../../../tests/kit/signed-calls.ts";

let node: TestNode;
let url: string;
let keys: { access_key: string; secret_key: string };
let s3: SignedCalls;
let readOnly: SignedCalls;
const BUCKET = "photos";

async function makeKey(grants: unknown[]) {
  const made = await node.call("POST /api/objects/access-keys", { as: "admin", body: { name: "test", grants } });
  return made.body;
}

beforeAll(async () => {
  node = createTestNode({ s3_listen: "127.0.0.1:0" });
  node.ctx.objects.start?.();
  for (const body of [{ name: BUCKET }, { name: "open", visibility: "public" }, { name: "other" }])
    await node.call("POST /api/objects/buckets", { as: "admin", body });
  const all = { read: true, write: true, owner: true };
  keys = await makeKey([
    { bucket: BUCKET, ...all },
    { bucket: "open", ...all },
  ]);
  const reader = await makeKey([{ bucket: BUCKET, read: true, write: false, owner: false }]);
  await node.ctx.objects.settled();
  ({ url } = (await node.call("GET /api/objects/endpoint", { as: "admin" })).body);
  s3 = createSignedCalls(url, keys, node.clock.now);
  readOnly = createSignedCalls(url, reader, node.clock.now);
});
afterAll(async () => {
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
});

/** Keys that have tripped others: every byte of them comes back, and none is another. */
const KEYS = [
  '&+-é"/x',
  "a//b",
  "a",
  "a/b",
  "x".repeat(1_024),
  "../up",
  "a/../b",
  "a/./b",
  "%2e%2e",
  "ü ?#=",
  "\u0001",
  "~*'()!",
];

test.each(KEYS.map((key) => [key]))("%p is a key like any other", async (key) => {
  const body = `body of ${key}`;
  expect((await s3("PUT", BUCKET, { key, body })).status).toBe(200);
  const read = await s3("GET", BUCKET, { key });
  expect([read.status, read.text]).toEqual([200, body]);
  const head = await s3("HEAD", BUCKET, { key });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(Buffer.byteLength(body))]);
  const listed = await s3("GET", BUCKET, { query: { "list-type": "2", prefix: key, "encoding-type": "url" } });
  expect(listed.text).toContain(`<Key>${s3.escape(key)}</Key>`);
  expect((await s3("DELETE", BUCKET, { key })).status).toBe(204);
  const gone = await s3("GET", BUCKET, { key });
  expect([gone.status, gone.code]).toEqual([404, "NoSuchKey"]);
});

test("a signature is over what is meant, however it is escaped or spaced", async () => {
  const key = "key@good~.txt";
  const spaced = { "x-amz-meta-note": "cache-key  --protected" };
  const collapsed = { "x-amz-meta-note": "cache-key --protected" };
  expect((await s3("PUT", BUCKET, { key, body: "x", headers: collapsed, unsigned: spaced })).status).toBe(200);
  const link = s3.presign("GET", BUCKET, key, 60);
  const other = link.replace("%40", "@").replace("~", "%7E");
  expect([other === link, (await fetch(other)).status]).toEqual([false, 200]);
});

test("a key of 1,025 bytes is too long", async () => {
  expect((await s3("PUT", BUCKET, { key: "x".repeat(1_025), body: "" })).code).toBe("KeyTooLongError");
});

test("what is known of an object comes back, without what only concerned its way", async () => {
  const headers = {
    "content-type": "text/plain",
    "cache-control": "max-age=60",
    "content-encoding": "gzip,aws-chunked",
    "x-amz-meta-colour": "blue",
    "x-amz-tagging": "a=1&b=2",
  };
  const put = await s3("PUT", BUCKET, { key: "known", body: "hello", headers });
  expect(put.headers.get("etag")).toBe('"5d41402abc4b2a76b9719d911017c592"');
  const { headers: got } = await s3("HEAD", BUCKET, { key: "known" });
  expect([
    got.get("content-type"),
    got.get("cache-control"),
    got.get("content-encoding"),
    got.get("x-amz-meta-colour"),
    got.get("x-amz-tagging-count"),
  ]).toEqual(["text/plain", "max-age=60", "gzip", "blue", "2"]);
  expect((await s3("GET", BUCKET, { key: "known", query: { tagging: "" } })).text).toContain(
    "<Key>b</Key><Value>2</Value>",
  );
});

test.each([
  ["bytes=0-0", 206, "h", "bytes 0-0/5"],
  ["bytes=1-", 206, "ello", "bytes 1-4/5"],
  ["bytes=-2", 206, "lo", "bytes 3-4/5"],
  ["bytes=3-99", 206, "lo", "bytes 3-4/5"],
  ["bytes=0-1,3-4", 200, "hello", null],
  ["bytes=3-1", 200, "hello", null],
])("the range %s", async (range, status, text, contentRange) => {
  await s3("PUT", BUCKET, { key: "range", body: "hello" });
  const got = await s3("GET", BUCKET, { key: "range", headers: { range } });
  expect([got.status, got.text, got.headers.get("content-range")]).toEqual([status, text, contentRange]);
});

test("a range beyond the end is refused with the size", async () => {
  await s3("PUT", BUCKET, { key: "range", body: "hello" });
  const got = await s3("GET", BUCKET, { key: "range", headers: { range: "bytes=5-" } });
  expect([got.status, got.code, got.headers.get("content-range")]).toEqual([416, "InvalidRange", "bytes */5"]);
});

test("reads that depend on what is there", async () => {
  const { headers } = await s3("PUT", BUCKET, { key: "cond", body: "hello" });
  const etag = headers.get("etag") ?? "";
  const statusWith = async (given: Record<string, string>) =>
    (await s3("GET", BUCKET, { key: "cond", headers: given })).status;
  expect(await statusWith({ "if-match": etag })).toBe(200);
  expect(await statusWith({ "if-match": '"other"' })).toBe(412);
  expect(await statusWith({ "if-none-match": etag })).toBe(304);
  expect(await statusWith({ "if-none-match": '"other"' })).toBe(200);
  expect(await statusWith({ "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" })).toBe(304);
  expect(await statusWith({ "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" })).toBe(412);
});

/** More of them by hand: `S3_RACES=500`. */
const RACES = Number(Bun.env["S3_RACES"] ?? 3);

test("of 64 who write if there is nothing, one does; of 64 who change what they saw, one does, and all see the same", async () => {
  const many = Array.from({ length: 64 }, (_, index) => index);
  const put = (body: string, headers: Record<string, string>) => s3("PUT", BUCKET, { key: "race", body, headers });
  for (let race = 0; race < RACES; race += 1) {
    let condition: Record<string, string> = { "if-none-match": "*" };
    // The winner of one turn is what all of the next have seen.
    for (let turn = 0; turn < 3; turn += 1) {
      const bodies = many.map((index) => `${race} ${turn} ${index}`);
      const answers = await Promise.all(bodies.map((body) => put(body, condition)));
      const winners = bodies.filter((_, index) => answers[index]?.status === 200);
      expect(answers.filter(({ code }) => code === "PreconditionFailed")).toHaveLength(63);
      const { text, headers } = await s3("GET", BUCKET, { key: "race" });
      expect([text]).toEqual(winners);
      condition = { "if-match": headers.get("etag") ?? "" };
    }
    await s3("DELETE", BUCKET, { key: "race" });
  }
  const none = await s3("PUT", BUCKET, { key: "nothing", body: "", headers: { "if-match": "*" } });
  expect([none.status, none.code]).toEqual([404, "NoSuchKey"]);
});

test("a key does what its grants say and nothing else", async () => {
  await s3("PUT", BUCKET, { key: "mine", body: "hello" });
  expect((await readOnly("GET", BUCKET, { key: "mine" })).status).toBe(200);
  expect((await readOnly("PUT", BUCKET, { key: "mine", body: "no" })).code).toBe("AccessDenied");
  expect((await readOnly("DELETE", BUCKET, { key: "mine" })).code).toBe("AccessDenied");
  expect((await readOnly("DELETE", BUCKET)).code).toBe("AccessDenied");
  expect((await readOnly("GET", "other", { key: "x" })).code).toBe("AccessDenied");
  expect((await readOnly("GET", "nothing-here", { key: "x" })).code).toBe("NoSuchBucket");
  expect((await s3("GET", "service-drive")).code).toBe("NoSuchBucket");
  const listed = await readOnly("GET", "");
  expect([...listed.text.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name]) => name)).toEqual([BUCKET]);
  const copied = await readOnly("PUT", BUCKET, { key: "copy", headers: { "x-amz-copy-source": `/${BUCKET}/mine` } });
  expect(copied.code).toBe("AccessDenied");
});

test("a key is tried at the node's own port, as programs use it", async () => {
  const tried = await node.call(`POST /api/objects/access-keys/${keys.access_key}/test`, { as: "admin" });
  // The clock of this test stands still, and the client's own does not.
  expect([tried.status, tried.body.ok, tried.body.words.startsWith("The store refused it")]).toEqual([
    200,
    false,
    true,
  ]);
  const none = await makeKey([]);
  const idle = await node.call(`POST /api/objects/access-keys/${none.access_key}/test`, { as: "admin" });
  expect(idle.body).toMatchObject({ ok: false, words: "It may read no bucket, so there is nothing to try." });
  expect((await node.call("POST /api/objects/access-keys/none/test", { as: "admin" })).status).toBe(404);
});

test("a signature that is wrong, old, or leaves something out is refused", async () => {
  const wrong = createSignedCalls(url, { ...keys, secret_key: "other" }, node.clock.now);
  expect((await wrong("GET", BUCKET, { key: "a" })).code).toBe("SignatureDoesNotMatch");
  const nobody = createSignedCalls(url, { ...keys, access_key: "ORNOBODY" }, node.clock.now);
  expect((await nobody("GET", BUCKET, { key: "a" })).code).toBe("InvalidAccessKeyId");
  const late = createSignedCalls(url, keys, () => node.clock.now() - 16 * 60_000);
  expect((await late("GET", BUCKET, { key: "a" })).code).toBe("RequestTimeTooSkewed");
  const open = await s3("PUT", BUCKET, { key: "a", body: "x", unsigned: { "x-amz-meta-colour": "red" } });
  expect([open.code, open.text.includes("x-amz-meta-colour")]).toEqual(["AccessDenied", true]);
  const other = await s3("PUT", BUCKET, { key: "a", body: "x", sent: "y" });
  expect(other.code).toBe("XAmzContentSHA256Mismatch");
  const old = await fetch(`${url}/${BUCKET}/a?AWSAccessKeyId=x&Signature=y&Expires=1`);
  expect(await old.text()).toContain("signature version 4");
});

test("sums that do not match are refused, and nothing is kept", async () => {
  const put = (headers: Record<string, string>) => s3("PUT", BUCKET, { key: "sum", body: "hello", headers });
  expect((await put({ "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" })).code).toBe("BadDigest");
  expect((await put({ "content-md5": "short" })).code).toBe("InvalidDigest");
  expect((await put({ "x-amz-checksum-crc32": "AAAAAA==" })).code).toBe("BadDigest");
  expect((await put({ "x-amz-checksum-crc32": "NhCmhg==", "x-amz-checksum-sha1": "x" })).code).toBe("InvalidRequest");
  expect((await s3("HEAD", BUCKET, { key: "sum" })).status).toBe(404);
  expect((await put({ "x-amz-checksum-crc32": "NhCmhg==" })).headers.get("x-amz-checksum-crc32")).toBe("NhCmhg==");
  const shown = await s3("HEAD", BUCKET, { key: "sum", headers: { "x-amz-checksum-mode": "ENABLED" } });
  expect(shown.headers.get("x-amz-checksum-crc32")).toBe("NhCmhg==");
});

test("objects of public buckets are for everybody to read, and nothing else is", async () => {
  await s3("PUT", "open", { key: "page.html", body: "<p>", headers: { "content-type": "text/html" } });
  const read = await fetch(`${url}/open/page.html`);
  expect([read.status, await read.text()]).toEqual([200, "<p>"]);
  expect(read.headers.get("content-security-policy")).toContain("sandbox");
  expect((await fetch(`${url}/open/`)).status).toBe(403);
  expect((await fetch(`${url}/open/page.html`, { method: "DELETE" })).status).toBe(403);
  expect((await fetch(`${url}/${BUCKET}/mine`)).status).toBe(403);
});

test("copies share their bytes, and outlive what they were made of", async () => {
  await s3("PUT", BUCKET, { key: "from", body: "copied", headers: { "x-amz-meta-a": "1" } });
  const headers = { "x-amz-copy-source": `${BUCKET}/from` };
  expect((await s3("PUT", BUCKET, { key: "to", headers })).text).toContain("<ETag>");
  expect((await s3("PUT", BUCKET, { key: "from", headers })).code).toBe("InvalidRequest");
  await s3("DELETE", BUCKET, { key: "from" });
  await node.ctx.objectStore.tidy();
  const read = await s3("GET", BUCKET, { key: "to" });
  expect([read.text, read.headers.get("x-amz-meta-a")]).toEqual(["copied", "1"]);
});

test("many are removed at once", async () => {
  for (const key of ["bulk/1", "bulk/2&"]) await s3("PUT", BUCKET, { key, body: "" });
  const body =
    "<Delete><Object><Key>bulk/1</Key></Object><Object><Key>bulk/2&amp;</Key></Object><Object><Key>none</Key></Object></Delete>";
  const done = await s3("POST", BUCKET, { query: { delete: "" }, body });
  expect([...done.text.matchAll(/<Deleted><Key>(.*?)</g)].map(([, key]) => key)).toEqual([
    "bulk/1",
    "bulk/2&amp;",
    "none",
  ]);
  expect((await s3("GET", BUCKET, { query: { prefix: "bulk/" } })).text).not.toContain("<Contents>");
  expect((await s3("POST", BUCKET, { query: { delete: "" }, body: "<!DOCTYPE a><Delete/>" })).code).toBe(
    "MalformedXML",
  );
});

test("lists go on page by page in the order of bytes", async () => {
  const names = ["list/A", "list/a", "list/é", "list/\uffff", "list/𝄞"];
  for (const key of names.toReversed()) await s3("PUT", BUCKET, { key, body: "" });
  const found: string[] = [];
  let token = "";
  do {
    const more = token === "" ? {} : { "continuation-token": token };
    const { text } = await s3("GET", BUCKET, {
      query: { "list-type": "2", prefix: "list/", "max-keys": "2", ...more },
    });
    found.push(...[...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = ""]) => key.replace("&#xffff;", "\uffff")));
    token = /<NextContinuationToken>(.*?)</.exec(text)?.[1] ?? "";
  } while (token !== "");
  expect(found).toEqual(names);
});

test("an object in parts appears whole when they are put together, whatever was sent again", async () => {
  const [, id = ""] =
    /<UploadId>(.*?)</.exec((await s3("POST", BUCKET, { key: "parts", query: { uploads: "" } })).text) ?? [];
  const first = "a".repeat(5 * 1024 * 1024);
  const put = async (partNumber: string, body: string) =>
    (await s3("PUT", BUCKET, { key: "parts", query: { uploadId: id, partNumber }, body })).headers.get("etag") ?? "";
  await put("1", "replaced");
  const one = await put("1", first);
  const three = await put("3", "the end");
  await put("7", "left out");
  expect((await s3("HEAD", BUCKET, { key: "parts" })).status).toBe(404);
  const complete = (parts: [number, string][]) => {
    const lines = parts.map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${lines.join("")}</CompleteMultipartUpload>`;
    return s3("POST", BUCKET, { key: "parts", query: { uploadId: id }, body });
  };
  expect(
    (
      await complete([
        [3, three],
        [1, one],
      ])
    ).code,
  ).toBe("InvalidPartOrder");
  expect((await complete([[1, three]])).code).toBe("InvalidPart");
  expect((await s3("GET", BUCKET, { query: { uploads: "" } })).text).toContain(id);
  expect(
    (
      await complete([
        [1, one],
        [3, three],
      ])
    ).text,
  ).toMatch(/<ETag>&quot;[0-9a-f]{32}-2&quot;<\/ETag>/);
  const tail = await s3("GET", BUCKET, { key: "parts", headers: { range: "bytes=-9" } });
  expect(tail.text).toBe("aathe end");
  expect((await complete([[1, one]])).code).toBe("InvalidPart");
});

test("pages of other origins may do what the rules of the bucket say", async () => {
  const preflight = () =>
    fetch(`${url}/${BUCKET}/a`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "PUT",
        "access-control-request-headers": "content-type",
      },
    });
  expect((await preflight()).status).toBe(403);
  const rule =
    "<CORSRule><AllowedOrigin>https://*.example</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader></CORSRule>";
  const body = `<CORSConfiguration>${rule}</CORSConfiguration>`;
  expect((await s3("PUT", BUCKET, { query: { cors: "" }, body })).status).toBe(200);
  expect((await s3("GET", BUCKET, { query: { cors: "" } })).text).toContain(rule.slice(10, 30));
  const allowed = await preflight();
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([200, "https://app.example"]);
  const link = s3.presign("PUT", BUCKET, "from-a-page", 60);
  const put = await fetch(link, { method: "PUT", body: "hello", headers: { origin: "https://app.example" } });
  expect([put.status, put.headers.get("access-control-expose-headers")]).toEqual([200, "ETag"]);
  expect((await s3("DELETE", BUCKET, { query: { cors: "" } })).status).toBe(204);
});

test("a link works for its method, its object and its time", async () => {
  await s3("PUT", BUCKET, { key: "linked", body: "hello" });
  const link = s3.presign("GET", BUCKET, "linked", 60);
  expect(await (await fetch(link)).text()).toBe("hello");
  expect((await fetch(link, { method: "DELETE" })).status).toBe(403);
  expect((await fetch(link.replace("linked", "mine"))).status).toBe(403);
  const old = createSignedCalls(url, keys, () => node.clock.now() - 120_000).presign("GET", BUCKET, "linked", 60);
  expect(await (await fetch(old)).text()).toContain("expired");
  const early = createSignedCalls(url, keys, () => node.clock.now() + 16 * 60_000).presign("GET", BUCKET, "linked", 60);
  expect(await (await fetch(early)).text()).toContain("not valid yet");
});

test("what this store does not have is refused, and what clients ask by the way is answered", async () => {
  expect((await s3("PUT", BUCKET, { query: { versioning: "" }, body: "<a/>" })).code).toBe("NotImplemented");
  expect((await s3("PUT", BUCKET, { key: "a", body: "", headers: { "x-amz-acl": "public-read" } })).code).toBe(
    "AccessControlListNotSupported",
  );
  expect((await s3("GET", BUCKET, { query: { versioning: "" } })).status).toBe(200);
  expect((await s3("GET", BUCKET, { query: { policy: "" } })).code).toBe("NoSuchBucketPolicy");
  expect((await s3("GET", BUCKET, { query: { location: "" } })).status).toBe(200);
  expect((await s3("PUT", "brand-new", {})).code).toBe("AccessDenied");
});

test("bodies in signed and unsigned pieces arrive without their frames, and a wrong frame keeps nothing", async () => {
  const body = "x".repeat(70_000);
  for (const payload of ["signed", "signed-trailer", "unsigned-trailer"] as const) {
    const put = await s3("PUT", BUCKET, { key: payload, body, chunked: payload });
    expect([payload, put.status, put.code]).toEqual([payload, 200, null]);
    expect((await s3("GET", BUCKET, { key: payload })).text).toBe(body);
    const broken = await s3("PUT", BUCKET, { key: `${payload}-broken`, body, chunked: payload, isBroken: true });
    expect(["SignatureDoesNotMatch", "BadDigest"]).toContain(broken.code ?? "");
    expect((await s3("HEAD", BUCKET, { key: `${payload}-broken` })).status).toBe(404);
  }
});
