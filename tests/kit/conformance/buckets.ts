import { expect } from "bun:test";
import { type Cases, type S3Suite, textsIn } from "../s3-suite.ts";
import { createSignedCalls } from "../signed-calls.ts";

/** Names, and whether a bucket may have them. */
const NAMES: [name: string, bucket: string, isGood: boolean][] = [
  ["bad_short_one", "a", false],
  ["bad_short_two", "aa", false],
  ["bad_starts_nonalpha", "_alpha", false],
  ["bad_ip", "192.168.5.123", false],
  ["dns_underscore", "foo_bar", false],
  ["dns_dash_at_end", "foo-", false],
  ["dns_dot_dot", "foo..bar", false],
  ["dns_dot_dash", "foo.-bar", false],
  ["dns_dash_dot", "foo-.bar", false],
  ["dns_long", "a".repeat(63), true],
  ["good_long_60", "b".repeat(60), true],
  ["good_long_61", "b".repeat(61), true],
  ["good_long_62", "b".repeat(62), true],
  ["good_long_63", "b".repeat(63), true],
  ["good_starts_alpha", "afoo", true],
  ["good_starts_digit", "0foo", true],
  ["good_contains_period", "aaa.111", true],
  ["good_contains_hyphen", "aaa-111", true],
];

/** Making, finding and removing buckets. Keys make none: people do, by the API of the node. */
export function bucketCases(own: S3Suite): Cases {
  const cases: Cases = {};
  const make = async (name: string) =>
    (await own.node.call("POST /api/objects/buckets", { as: "admin", body: { name, visibility: "private" } })).status;
  const remove = async (name: string) =>
    (await own.node.call(`DELETE /api/objects/buckets/${name}`, { as: "admin" })).status;
  /** A key with rights on what it is told. */
  async function keyFor(...buckets: string[]) {
    const grants = buckets.map((bucket) => ({ bucket, read: true, write: true, owner: bucket !== own.BUCKET }));
    const body = { name: "another", grants };
    const { body: keys } = await own.node.call("POST /api/objects/access-keys", { as: "admin", body });
    return { keys, calls: createSignedCalls(own.url, keys, own.node.clock.now) };
  }
  const namesIn = (text: string) => textsIn(text, /<Name>([^<]*)</g);

  for (const [name, bucket, isGood] of NAMES)
    cases[`bucket_create_naming_${name}`] = async () => {
      expect(await make(bucket)).toBe(isGood ? 201 : 400);
      if (isGood) expect(await remove(bucket)).toBe(204);
    };

  /** Makes a bucket, does something with a key for it, and removes it. */
  async function within(bucket: string, run: (calls: ReturnType<typeof createSignedCalls>) => Promise<unknown>) {
    expect(await make(bucket)).toBe(201);
    await run((await keyFor(bucket)).calls);
    expect([204, 404]).toContain(await remove(bucket));
  }

  return Object.assign(cases, {
    bucket_list_long_name: () =>
      within("c".repeat(61), async (calls) => {
        const { status, text } = await calls("GET", "c".repeat(61));
        expect([status, text.includes("<Contents>")]).toEqual([200, false]);
      }),
    bucket_create_delete: () =>
      within("come-and-go", async (calls) => {
        expect((await calls("DELETE", "come-and-go")).status).toBe(204);
        expect((await calls("HEAD", "come-and-go")).status).toBe(404);
      }),
    set_bucket_tagging: async () => {
      const about = { query: { tagging: "" } };
      const put = (tags: readonly (readonly [string, string])[]) => {
        const lines = tags.map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`);
        return own.call("PUT", { ...about, body: `<Tagging><TagSet>${lines.join("")}</TagSet></Tagging>` });
      };
      const numbered = (count: number) => Array.from({ length: count }, (_, index) => [`k${index}`, "v"] as const);
      expect(await own.call("GET", about)).toMatchObject({ status: 404, code: "NoSuchTagSet" });
      expect((await put([["Hello", "World"]])).status).toBe(200);
      expect((await own.call("GET", about)).text).toContain(
        "<TagSet><Tag><Key>Hello</Key><Value>World</Value></Tag></T",
      );
      expect((await put(numbered(50))).status).toBe(200);
      const { keys } = await keyFor(own.BUCKET);
      const another = createSignedCalls(own.url, keys, own.node.clock.now);
      expect((await another("DELETE", own.BUCKET, about)).code).toBe("AccessDenied");
      const refused = [
        numbered(51),
        [["", "v"]],
        [["k".repeat(129), "v"]],
        [["k", "v".repeat(257)]],
        [["aws:k", "v"]],
        [["k&lt;", "v"]],
        [
          ["k", "1"],
          ["k", "2"],
        ],
      ] as const;
      for (const tags of refused) expect((await put(tags)).code).toBe("InvalidTag");
      expect(textsIn((await another("GET", own.BUCKET, about)).text, /<Key>([^<]*)</g)).toHaveLength(50);
      expect((await own.call("DELETE", about)).status).toBe(204);
      expect((await own.call("GET", about)).code).toBe("NoSuchTagSet");
    },
    bucket_create_exists: async () => expect((await own.call("PUT")).code).toBe("BucketAlreadyOwnedByYou"),
    bucket_create_exists_nonowner: async () => {
      const { calls } = await keyFor(own.BUCKET);
      expect(await calls("PUT", own.BUCKET)).toMatchObject({ status: 409, code: "BucketAlreadyExists" });
    },
    bucket_recreate_not_overriding: async () => {
      await own.fill(["mykey1", "mykey2"]);
      expect((await own.call("PUT")).status).toBe(409);
      expect(await make(own.BUCKET)).toBe(409);
      expect((await own.list({})).keys).toEqual(["mykey1", "mykey2"]);
    },
    buckets_create_then_list: async () => {
      const names = ["list-one", "list-two", "list-three"];
      for (const name of names) await make(name);
      const { calls } = await keyFor(...names);
      expect(namesIn((await calls("GET", "")).text)).toEqual(names.toSorted());
      for (const name of names) await remove(name);
    },
    buckets_list_ctime: async () => {
      const made = textsIn((await own.s3("GET", "")).text, /<CreationDate>([^<]*)</g).map(Date.parse);
      expect(made).toHaveLength(3);
      for (const at of made) expect(Math.abs(at - own.node.clock.now())).toBeLessThan(86_400_000);
    },
    list_buckets_invalid_auth: async () => {
      const calls = createSignedCalls(own.url, { access_key: "nobody", secret_key: "none" }, own.node.clock.now);
      expect(await calls("GET", "")).toMatchObject({ status: 403, code: "InvalidAccessKeyId" });
    },
    list_buckets_bad_auth: async () => {
      const { keys } = await keyFor(own.BUCKET);
      const calls = createSignedCalls(own.url, { ...keys, secret_key: "another" }, own.node.clock.now);
      expect(await calls("GET", "")).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
    },
    object_raw_authenticated_bucket_gone: () =>
      within("gone-one", async (calls) => {
        await calls("DELETE", "gone-one");
        expect((await calls("GET", "gone-one", { key: "foo" })).code).toBe("NoSuchBucket");
      }),
    object_delete_key_bucket_gone: () =>
      within("gone-two", async (calls) => {
        await calls("DELETE", "gone-two");
        expect((await calls("DELETE", "gone-two", { key: "foo" })).code).toBe("NoSuchBucket");
      }),
    atomic_write_bucket_gone: async () => {
      expect(await make("gone-three")).toBe(201);
      const { calls } = await keyFor("gone-three");
      const where = { bucket: "gone-three", calls };
      const goes = async () => {
        await own.arrived(0);
        await remove("gone-three");
      };
      const done = await own.putInHalves("foo", "a".repeat(1024 * 1024), goes, where);
      expect(done).toEqual({ status: 404, code: "NoSuchBucket" });
    },
    expected_bucket_owner: async () => {
      await own.put("foo");
      const owned = { headers: { "x-amz-expected-bucket-owner": "orrery" } };
      const foreign = { headers: { "x-amz-expected-bucket-owner": "orreryfoo" } };
      expect((await own.call("GET", owned)).status).toBe(200);
      expect((await own.call("GET", foreign)).code).toBe("AccessDenied");
      expect((await own.call("PUT", { key: "bar", body: "coffee", ...foreign })).code).toBe("AccessDenied");
      const source = { "x-amz-copy-source": `${own.BUCKET}/foo`, "x-amz-source-expected-bucket-owner": "orreryfoo" };
      expect((await own.call("PUT", { key: "bar", headers: source })).code).toBe("AccessDenied");
      expect((await own.list({})).keys).toEqual(["foo"]);
    },
  } satisfies Cases);
}
