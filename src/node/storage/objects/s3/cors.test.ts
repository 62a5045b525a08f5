import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { keepWaiting } from "../../../../../tests/kit/waiting-crowd.ts";
import { networksAround } from "../../../../kernel/http/peer.ts";

const ORIGIN = "https://app.example.test";
let own: S3Node;
beforeAll(async () => {
  own = await openS3Node(["open-door"]);
  await own.s3("PUT", "open-door", { key: "a", body: "x" });
});
afterAll(() => own.close());
beforeEach(() => own.s3("DELETE", "open-door", { query: { cors: "" } }));

const times = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join("");
const named = (name: string, count: number, begin = "x-") => times(count, (at) => `<${name}>${begin}${at}</${name}>`);
const rule = (more = "", origins = `<AllowedOrigin>${ORIGIN}</AllowedOrigin>`) =>
  `<CORSRule>${origins}<AllowedMethod>GET</AllowedMethod>${more}</CORSRule>`;
const put = (rules: string) =>
  own.s3("PUT", "open-door", { query: { cors: "" }, body: `<CORSConfiguration>${rules}</CORSConfiguration>` });
const get = () => own.s3("GET", "open-door", { query: { cors: "" } });
const ask = (names: readonly string[], origin = ORIGIN) =>
  fetch(`${own.url}/open-door/a`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": names.join(","),
    },
  });
const codeOf = async (answer: Response) => /<Code>(\w+)</.exec(await answer.text())?.[1] ?? answer.status;

/** Keeps rules as they may lie there since before there were limits. */
async function keep(rules: unknown): Promise<void> {
  const { objectStore } = own.node.ctx;
  const { id = "" } = objectStore.findBucket("open-door") ?? {};
  await objectStore.change({ kind: "setBucket", id, set: { cors: JSON.stringify(rules) } });
}
const kept = { origins: ["*"], methods: ["GET"], headers: ["a"], exposed: [], maxAgeS: null };

test.each([
  ["more than 64 KB", `<!--${"x".repeat(64 * 1024)}-->${rule()}`, "MalformedXML"],
  ["101 rules", times(101, () => rule()), "MalformedXML"],
  ["101 headers of pages", rule(named("AllowedHeader", 101)), "InvalidRequest"],
  ["101 headers of answers", rule(named("ExposeHeader", 101)), "InvalidRequest"],
  ["1,001 origins", rule("", named("AllowedOrigin", 1_001, "o")), "InvalidRequest"],
])("a configuration with %s is refused, and nothing is kept", async (_, rules, code) => {
  const refused = await put(rules);
  expect([refused.status, refused.code]).toEqual([400, code]);
  expect((await get()).code).toBe("NoSuchCORSConfiguration");
});

test("as many rules, headers and origins as there may be are all kept and hold", async () => {
  const wide = rule(named("AllowedHeader", 100) + named("ExposeHeader", 100), named("AllowedOrigin", 1_000, "o"));
  expect((await put(times(99, () => rule()) + wide)).status).toBe(200);
  const { text } = await get();
  expect([text.split("<CORSRule>").length, text.split("<AllowedOrigin>").length]).toEqual([101, 1_100]);
  const names = Array.from({ length: 100 }, (_, at) => `X-${at}`);
  const allowed = await ask(names, "o999");
  expect([allowed.status, allowed.headers.get("access-control-allow-headers")]).toEqual([200, names.join(", ")]);
});

test("a page asks for a hundred headers at once at most", async () => {
  await put(rule("<AllowedHeader>*</AllowedHeader>"));
  expect((await ask(Array.from({ length: 100 }, () => "a"))).status).toBe(200);
  const refused = await ask(Array.from({ length: 101 }, () => "a"));
  expect([refused.status, await codeOf(refused)]).toEqual([400, "InvalidRequest"]);
});

test("rules of before there were limits are used while they keep to them, and not beyond", async () => {
  await keep([kept]);
  expect((await ask(["a"])).status).toBe(200);
  const names = (count: number) => Array.from({ length: count }, (_, at) => (at === 0 ? "a" : `b${at}`));
  const beyond = [
    [{ ...kept, headers: names(101) }],
    [{ ...kept, origins: [...names(1_000), "*"] }],
    Array.from({ length: 101 }, () => kept),
    [{ ...kept, methods: ["GET", "x".repeat(300_000)] }],
  ];
  for (const [at, rules] of beyond.entries()) {
    await keep(rules);
    expect([at, (await ask(["a"])).status]).toEqual([at, 403]);
    const answer = await fetch(`${own.url}/open-door/a`, { headers: { origin: ORIGIN } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  }
});

test("who asks before they send has their turn as all who sign nothing, and may read that they were refused", async () => {
  await put(rule());
  const { takeTurn } = own.node.ctx;
  const crowd = keepWaiting(takeTurn, ["", ...networksAround("127.0.0.1")], 200);
  const refused = await ask([]);
  expect([refused.status, await codeOf(refused)]).toEqual([503, "SlowDown"]);
  const read = await fetch(`${own.url}/open-door/a`, { headers: { origin: ORIGIN } });
  expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([503, ORIGIN]);
  crowd.end();
  await until(async () => (await ask([])).status === 200, { everyMs: 1 });
});

test("a signature that is wrong is refused in words that a page may read", async () => {
  await put(rule());
  const headers = { origin: ORIGIN, authorization: "AWS4-HMAC-SHA256 nothing" };
  const refused = await fetch(`${own.url}/open-door/a`, { headers });
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([400, ORIGIN]);
});
