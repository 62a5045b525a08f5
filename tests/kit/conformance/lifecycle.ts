import { expect } from "bun:test";
import { type Cases, type S3Suite, textsIn } from "../s3-suite.ts";

const END = "<Expiration><Days>1</Days></Expiration>";
const rule = (inside: string, { id = "rule1", status = "Enabled", prefix = "test1/" } = {}) =>
  `<Rule>${id === "" ? "" : `<ID>${id}</ID>`}<Prefix>${prefix}</Prefix><Status>${status}</Status>${inside}</Rule>`;
const onDate = (date: string) => `<Expiration><Date>${date}</Date></Expiration>`;
const tagged = (inside: string) =>
  `<Rule><ID>rule1</ID><Filter>${inside}</Filter><Status>Enabled</Status>${END}</Rule>`;
const tag = (name: string, value: string) => `<Tag><Key>${name}</Key><Value>${value}</Value></Tag>`;

/** Rules, and the code that answers them: null for none. */
const RULES: [name: string, rules: string, code: string | null][] = [
  ["set", rule(END) + rule("<Expiration><Days>2</Days></Expiration>", { id: "rule2", status: "Disabled" }), null],
  ["set_date", rule(onDate("2017-09-27")), null],
  ["set_invalid_date", rule(onDate("20200101")), "MalformedXML"],
  ["set_filter", `<Rule><ID>a</ID><Filter><Prefix>foo</Prefix></Filter><Status>Enabled</Status>${END}</Rule>`, null],
  ["set_empty_filter", `<Rule><ID>a</ID><Filter/><Status>Enabled</Status>${END}</Rule>`, null],
  [
    "set_multipart",
    rule(
      "<AbortIncompleteMultipartUpload><DaysAfterInitiation>2</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
    ),
    null,
  ],
  ["id_too_long", rule(END, { id: "a".repeat(256) }), "InvalidArgument"],
  ["same_id", rule(END) + rule(END, { prefix: "test2/" }), "InvalidArgument"],
  ["expiration_days0", rule("<Expiration><Days>0</Days></Expiration>"), "InvalidArgument"],
];

/** Rules by which objects end. */
export function lifecycleCases(own: S3Suite): Cases {
  const about = { query: { lifecycle: "" } };
  const put = (rules: string) =>
    own.call("PUT", { ...about, body: `<LifecycleConfiguration>${rules}</LifecycleConfiguration>` });
  const expiryOf = async (key: string) => (await own.call("HEAD", { key })).headers.get("x-amz-expiration");
  const run = () => own.node.ctx.jobs.run("objects-lifecycle");

  const cases: Cases = {};
  for (const [name, rules, code] of RULES)
    cases[`lifecycle_${name}`] = async () => {
      expect((await put(rules)).code).toBe(code);
      expect((await own.call("GET", about)).status).toBe(code === null ? 200 : 404);
    };
  /** What a rule for tags says of an object that has key1=tag1 and key5=tag5. */
  async function expiryUnder(filter: string) {
    await put(tagged(filter));
    await own.put("obj_key1", "body", { "x-amz-tagging": "key1=tag1&key5=tag5" });
    return await expiryOf("obj_key1");
  }
  /** Stores a large object with tags and a small one without, and says which are left when a rule has ended what it means. */
  async function left(filter: string, tags = "", expected = ["days1/small"]) {
    await own.put("days1/large", "x".repeat(3_000), tags === "" ? {} : { "x-amz-tagging": tags });
    await own.put("days1/small", "body");
    await put(tagged(filter).replace(END, onDate("2015-01-01")));
    await run();
    expect((await own.list({})).keys).toEqual(expected);
  }
  const DAY_LATER = /^expiry-date="([^"]+)", rule-id="rule1"$/;

  return Object.assign(cases, {
    lifecycle_invalid_status: async () => {
      for (const status of ["enabled", "disabled", "invalid"])
        expect((await put(rule(END, { status }))).code).toBe("MalformedXML");
    },
    lifecycle_get: async () => {
      await put(rule("<Expiration><Days>31</Days></Expiration>") + rule(END, { id: "rule2", prefix: "test2/" }));
      const { text } = await own.call("GET", about);
      expect([textsIn(text, /<ID>([^<]*)</g), textsIn(text, /<Days>([^<]*)</g)]).toEqual([
        ["rule1", "rule2"],
        ["31", "1"],
      ]);
    },
    lifecycle_get_no_id: async () => {
      await put(rule(END, { id: "" }) + rule(END, { id: "", prefix: "test2/" }));
      const ids = textsIn((await own.call("GET", about)).text, /<ID>([^<]+)</g);
      expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
    },
    lifecycle_delete: async () => {
      expect((await own.call("GET", about)).code).toBe("NoSuchLifecycleConfiguration");
      expect((await own.call("DELETE", about)).status).toBe(204);
      await put(rule(END));
      expect((await own.call("DELETE", about)).status).toBe(204);
      expect((await own.call("GET", about)).code).toBe("NoSuchLifecycleConfiguration");
    },
    lifecycle_transition_set_invalid_date: async () => {
      const move = "<Transition><Date>20220927</Date><StorageClass>GLACIER</StorageClass></Transition>";
      expect((await put(rule(onDate("2023-09-27") + move))).status).toBeGreaterThanOrEqual(400);
    },
    lifecycle_expiration_header_put: async () => {
      await put(rule(END, { prefix: "days1/" }));
      const { headers } = await own.put("days1/foo");
      expect(headers.get("x-amz-expiration")).toMatch(DAY_LATER);
    },
    lifecycle_expiration_header_head: async () => {
      await put(rule(END, { prefix: "days1/" }));
      await own.put("days1/foo");
      const [, date = ""] = DAY_LATER.exec((await expiryOf("days1/foo")) ?? "") ?? [];
      const days = (Date.parse(date) - own.node.clock.now()) / 86_400_000;
      expect([days >= 1, days <= 2, Date.parse(date) % 86_400_000]).toEqual([true, true, 0]);
    },
    lifecycle_expiration_header_tags_head: async () => {
      expect(await expiryUnder(tag("key1", "tag1"))).toMatch(DAY_LATER);
      expect(await expiryUnder(tag("key2", "tag1"))).toBeNull();
    },
    lifecycle_expiration_header_and_tags_head: async () => {
      expect(await expiryUnder(`<And>${tag("key1", "tag1")}${tag("key5", "tag6")}</And>`)).toBeNull();
      expect(await expiryUnder(`<And>${tag("key1", "tag1")}${tag("key5", "tag5")}</And>`)).toMatch(DAY_LATER);
    },
    lifecycle_expiration_date: async () => {
      await own.fill(["past/foo", "future/bar"]);
      const later = new Date(own.node.clock.now() + 400 * 86_400_000).toISOString().slice(0, 10);
      await put(
        rule(onDate("2015-01-01"), { prefix: "past/" }) + rule(onDate(later), { id: "rule2", prefix: "future/" }),
      );
      await run();
      expect((await own.list({})).keys).toEqual(["future/bar"]);
    },
    lifecycle_expiration_tags2: () =>
      left(`<And><Prefix>days1/</Prefix>${tag("tom", "sawyer")}${tag("huck", "finn")}</And>`, "tom=sawyer&huck=finn"),
    lifecycle_expiration_size_gt: () => left("<ObjectSizeGreaterThan>2000</ObjectSizeGreaterThan>"),
    lifecycle_expiration_size_lt: () => left("<ObjectSizeLessThan>2000</ObjectSizeLessThan>", "", ["days1/large"]),
    lifecycle_expiration_tags1: () => left(`<And><Prefix>days1/</Prefix>${tag("tom", "sawyer")}</And>`, "tom=sawyer"),
  } satisfies Cases);
}
