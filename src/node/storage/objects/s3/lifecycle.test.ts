import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";

const DAY_MS = 86_400_000;
let own: S3Node;
beforeAll(async () => {
  own = await openS3Node(["photos", "other"]);
});
afterAll(() => own.close());
beforeEach(async () => {
  await own.s3("DELETE", "photos", { query: { lifecycle: "" } });
});

const put = (rules: string) =>
  own.s3("PUT", "photos", {
    query: { lifecycle: "" },
    body: `<LifecycleConfiguration>${rules}</LifecycleConfiguration>`,
  });
const rule = (inside: string, more = "<Status>Enabled</Status>") => `<Rule>${inside}${more}</Rule>`;
const expire = (days: number) => `<Expiration><Days>${days}</Days></Expiration>`;
const store = (key: string, headers: Record<string, string> = {}, body = "hello") =>
  own.s3("PUT", "photos", { key, body, headers });
const isThere = async (key: string) => (await own.s3("HEAD", "photos", { key })).status === 200;
const run = () => own.node.ctx.jobs.run("objects-lifecycle");

test("rules come back as they were given, and go", async () => {
  expect((await own.s3("GET", "photos", { query: { lifecycle: "" } })).code).toBe("NoSuchLifecycleConfiguration");
  const rules = [
    rule(`<ID>one</ID><Filter><Prefix>logs/</Prefix></Filter>${expire(30)}`),
    rule(
      `<Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></And></Filter><Expiration><Date>2026-02-01T00:00:00.000Z</Date></Expiration>`,
      "<Status>Disabled</Status>",
    ),
    rule(
      "<Prefix>old-way</Prefix><AbortIncompleteMultipartUpload><DaysAfterInitiation>2</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
    ),
  ];
  expect((await put(rules.join(""))).status).toBe(200);
  const { text } = await own.s3("GET", "photos", { query: { lifecycle: "" } });
  for (const part of [
    "<ID>one</ID><Filter><Prefix>logs/</Prefix></Filter>",
    "<Days>30</Days>",
    "<And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></And>",
    "<ID>rule-2</ID>",
    "<Status>Disabled</Status><Expiration><Date>2026-02-01T00:00:00.000Z</Date>",
    "<DaysAfterInitiation>2</DaysAfterInitiation>",
  ])
    expect(text).toContain(part);
  expect((await own.s3("DELETE", "photos", { query: { lifecycle: "" } })).status).toBe(204);
});

test.each([
  [
    "a tag with a name of 129 letters",
    rule(`<Filter><Tag><Key>${"k".repeat(129)}</Key><Value/></Tag></Filter>${expire(1)}`),
    "InvalidTag",
  ],
  [
    "a tag with a value of 257 letters",
    rule(`<Filter><Tag><Key>k</Key><Value>${"v".repeat(257)}</Value></Tag></Filter>${expire(1)}`),
    "InvalidTag",
  ],
  ["more than 512 KiB", rule(`<!--${"x".repeat(512 * 1024)}-->${expire(1)}`), "MalformedXML"],
  ["an id of 256 letters", rule(`<ID>${"x".repeat(256)}</ID>${expire(1)}`), "InvalidArgument"],
  ["an id twice", rule(`<ID>a</ID>${expire(1)}`) + rule(`<ID>a</ID>${expire(2)}`), "InvalidArgument"],
  ["no days at all", rule(expire(0)), "InvalidArgument"],
  ["a date that is none", rule("<Expiration><Date>20200101</Date></Expiration>"), "MalformedXML"],
  ["a date at noon", rule("<Expiration><Date>2026-01-01T12:00:00Z</Date></Expiration>"), "InvalidArgument"],
  ["another status", rule(expire(1), "<Status>enabled</Status>"), "MalformedXML"],
  ["no action", rule("<ID>a</ID>"), "InvalidRequest"],
  ["another kind of storage", rule("<Transition><Days>1</Days></Transition>"), "NotImplemented"],
  ["nothing", "", "MalformedXML"],
])("a rule with %s is refused", async (_, text, code) => {
  expect((await put(text)).code).toBe(code);
});

test("objects and uploads end when their day is over, others stay, and what is stored anew begins anew", async () => {
  const end = (name: string) => rule(`<ID>${name}</ID><Filter><Prefix>${name}/</Prefix></Filter>${expire(2)}`);
  const tagged = rule(
    `<ID>t</ID><Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter><Expiration><Days>1</Days></Expiration>`,
  );
  const uploads =
    "<Rule><Status>Enabled</Status><Filter><Prefix/></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>";
  await put(end("logs") + end("fresh") + tagged + uploads);
  for (const key of ["logs/a", "fresh/a", "kept/a"]) await store(key);
  await store("kept/tagged", { "x-amz-tagging": "k=v" });
  await own.s3("POST", "photos", { key: "half", query: { uploads: "" } });
  const shown = (await own.s3("HEAD", "photos", { key: "logs/a" })).headers.get("x-amz-expiration");
  expect(shown).toMatch(/^expiry-date=".*00:00:00 GMT", rule-id="logs"$/);
  await run();
  expect(await isThere("kept/tagged")).toBe(true);
  await own.node.clock.advance(2 * DAY_MS + 1000);
  await store("fresh/a", {}, "hello");
  await own.node.clock.advance(DAY_MS);
  await run();
  const left = await Promise.all(["logs/a", "fresh/a", "kept/a", "kept/tagged"].map(isThere));
  expect(left).toEqual([false, true, true, false]);
  expect((await own.s3("GET", "photos", { query: { uploads: "" } })).text).not.toContain("<UploadId>");
  const [event] = own.node.events.filter(({ name }) => name === "objects.expired");
  expect(event?.data).toEqual({ bucket: "photos", objects: 2, uploads: 1 });
});

test("people see and change the rules, and who reads the bucket, in the dashboard", async () => {
  await put(rule(`<ID>one</ID><Filter><Prefix>logs/</Prefix></Filter>${expire(30)}`));
  const route = "/api/objects/buckets/photos/settings";
  const { body } = await own.node.call(`GET ${route}`, { as: "admin" });
  expect([body.visibility, body.website, body.rules[0].id, body.rules[0].after_days]).toEqual([
    "private",
    null,
    "one",
    30,
  ]);
  const [first] = body.rules;
  const website = { index: "index.html", error: null };
  const put2 = await own.node.call(`PUT ${route}`, {
    as: "admin",
    body: { visibility: "public", website, rules: [{ ...first, after_days: 7 }] },
  });
  expect([put2.status, put2.body.visibility, put2.body.rules[0].after_days]).toEqual([200, "public", 7]);
  const nothing = await own.node.call(`PUT ${route}`, {
    as: "admin",
    body: { ...put2.body, rules: [{ ...first, after_days: null }] },
  });
  expect(nothing.body.params.field).toBe("rules.0.after_days");
  expect((await own.node.call(`PUT ${route}`, { as: "admin", body: { ...body, website: null } })).status).toBe(200);
});
