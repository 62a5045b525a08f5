import { expect } from "bun:test";
import type { Cases, Query, S3Suite } from "../s3-suite.ts";

/** Lists with a prefix and a delimiter, and what is seen. */
const LISTS: [name: string, keys: string[], query: Query, shown: string[], folders: string[]][] = [
  [
    "delimiter_basic",
    ["foo/bar", "foo/bar/xyzzy", "quux/thud", "asdf"],
    { delimiter: "/" },
    ["asdf"],
    ["foo/", "quux/"],
  ],
  ["delimiter_prefix_ends_with_delimiter", ["asdf/"], { delimiter: "/", prefix: "asdf/" }, ["asdf/"], []],
  ["delimiter_alt", ["bar", "baz", "cab", "foo"], { delimiter: "a" }, ["foo"], ["ba", "ca"]],
  [
    "delimiter_prefix_underscore",
    ["_obj1_", "_under1/bar", "_under1/baz/xyzzy"],
    { delimiter: "/" },
    ["_obj1_"],
    ["_under1/"],
  ],
  ["delimiter_percentage", ["b%ar", "b%az", "c%ab", "foo"], { delimiter: "%" }, ["foo"], ["b%", "c%"]],
  ["delimiter_whitespace", ["b ar", "b az", "c ab", "foo"], { delimiter: " " }, ["foo"], ["b ", "c "]],
  ["delimiter_dot", ["b.ar", "b.az", "c.ab", "foo"], { delimiter: "." }, ["foo"], ["b.", "c."]],
  ["delimiter_unreadable", ["bar", "foo"], { delimiter: "\n" }, ["bar", "foo"], []],
  ["delimiter_empty", ["bar", "foo"], { delimiter: "" }, ["bar", "foo"], []],
  ["delimiter_none", ["bar", "foo"], {}, ["bar", "foo"], []],
  ["delimiter_not_exist", ["bar", "foo"], { delimiter: "/" }, ["bar", "foo"], []],
  [
    "delimiter_not_skip_special",
    ["0/", "0/1000", "0/1001", "1999", "1999#", "1999+", "2000"],
    { delimiter: "/" },
    ["1999", "1999#", "1999+", "2000"],
    ["0/"],
  ],
  ["delimiter_multichar", ["a--b", "a--c", "a-d", "e"], { delimiter: "--" }, ["a-d", "e"], ["a--"]],
  ["prefix_basic", ["foo/bar", "foo/baz", "quux"], { prefix: "foo/" }, ["foo/bar", "foo/baz"], []],
  ["prefix_alt", ["bar", "baz", "foo"], { prefix: "ba" }, ["bar", "baz"], []],
  ["prefix_empty", ["foo/bar", "quux"], { prefix: "" }, ["foo/bar", "quux"], []],
  ["prefix_none", ["foo/bar", "quux"], {}, ["foo/bar", "quux"], []],
  ["prefix_not_exist", ["foo/bar", "quux"], { prefix: "d" }, [], []],
  ["prefix_unreadable", ["foo/bar", "quux"], { prefix: "\n" }, [], []],
  [
    "prefix_delimiter_basic",
    ["foo/bar", "foo/baz/xyzzy", "quux/thud", "asdf"],
    { prefix: "foo/", delimiter: "/" },
    ["foo/bar"],
    ["foo/baz/"],
  ],
  ["prefix_delimiter_alt", ["bar", "bazar", "cab", "foo"], { prefix: "ba", delimiter: "a" }, ["bar"], ["baza"]],
  ["prefix_delimiter_prefix_not_exist", ["b/a/r", "b/a/c", "b/a/g", "g"], { prefix: "d", delimiter: "/" }, [], []],
  [
    "prefix_delimiter_delimiter_not_exist",
    ["b/a/c", "b/a/g", "b/a/r", "g"],
    { prefix: "b", delimiter: "z" },
    ["b/a/c", "b/a/g", "b/a/r"],
    [],
  ],
  ["prefix_delimiter_prefix_delimiter_not_exist", ["b/a/c", "g"], { prefix: "y", delimiter: "z" }, [], []],
];
/** Lists of the objects of a bucket, of both kinds. */
export function listCases(own: S3Suite): Cases {
  const cases: Cases = {};

  /** A case of both kinds of list. */
  function both(name: string, run: (ask: (query: Query) => ReturnType<typeof own.list>) => Promise<void>): void {
    cases[`bucket_list_${name}`] = () => run((query) => own.list(query));
    cases[`bucket_listv2_${name}`] = () => run((query) => own.list({ "list-type": "2", ...query }));
  }

  for (const [name, keys, query, shown, folders] of LISTS)
    both(name, async (ask) => {
      await own.fill(keys);
      const seen = await ask(query);
      expect([seen.keys, seen.prefixes, seen.isTruncated]).toEqual([shown, folders, false]);
    });

  both("many", async (ask) => {
    await own.fill(["foo", "bar", "baz"]);
    const first = await ask({ "max-keys": "2" });
    expect([first.keys, first.isTruncated]).toEqual([["bar", "baz"], true]);
  });
  both("maxkeys_one", async (ask) => {
    await own.fill(["bar", "baz", "foo"]);
    const seen = await ask({ "max-keys": "1" });
    expect([seen.keys, seen.isTruncated]).toEqual([["bar"], true]);
  });
  both("maxkeys_zero", async (ask) => {
    await own.fill(["bar", "baz"]);
    const seen = await ask({ "max-keys": "0" });
    expect([seen.keys, seen.isTruncated]).toEqual([[], false]);
  });
  both("maxkeys_none", async (ask) => {
    await own.fill(["bar", "baz"]);
    const seen = await ask({});
    expect([seen.keys, seen.text.includes("<MaxKeys>1000</MaxKeys>")]).toEqual([["bar", "baz"], true]);
  });
  both("encoding_basic", async (ask) => {
    await own.fill(["asdf+b", "foo+1/bar", "foo/bar/xyzzy", "quux ab/thud"]);
    const seen = await ask({ delimiter: "/", "encoding-type": "url" });
    expect([seen.keys, seen.prefixes]).toEqual([["asdf%2Bb"], ["foo%2B1/", "foo/", "quux%20ab/"]]);
  });
  both("delimiter_prefix", async (ask) => {
    await own.fill(["asdf", "boo/bar", "boo/baz/xyzzy", "cquux/thud", "cquux/bla"]);
    const name = (found: { text: string }) => (found.text.includes("ListBucketResult") ? found : null);
    const first = await ask({ delimiter: "/", "max-keys": "1" });
    expect([name(first) !== null, first.keys, first.prefixes]).toEqual([true, ["asdf"], []]);
    const more: Query = first.text.includes("<KeyCount>")
      ? { "continuation-token": first.next ?? "" }
      : { marker: first.next ?? "" };
    const second = await ask({ delimiter: "/", "max-keys": "2", ...more });
    expect([second.keys, second.prefixes, second.isTruncated]).toEqual([[], ["boo/", "cquux/"], false]);
  });
  both("objects_anonymous_fail", async () => {
    expect((await fetch(`${own.url}/${own.BUCKET}`)).status).toBe(403);
  });

  Object.assign(cases, {
    bucket_list_empty: async () => expect((await own.list({})).keys).toEqual([]),
    bucket_list_distinct: async () => {
      await own.s3("PUT", "second", { key: "asdf", body: "" });
      expect((await own.list({})).keys).toEqual([]);
    },
    basic_key_count: async () => {
      await own.fill(["0", "1", "2", "3", "4"]);
      expect((await own.list({ "list-type": "2" })).count).toBe(5);
    },
    bucket_list_maxkeys_invalid: async () =>
      expect((await own.list({ "max-keys": "blah" })).code).toBe("InvalidArgument"),
    bucket_list_marker_none: async () => expect((await own.list({})).text).toContain("<Marker></Marker>"),
    bucket_list_special_prefix: async () => {
      await own.fill(["_bla/1", "_bla/2", "_bla/3", "_bla/4", "abcd"]);
      expect((await own.list({})).keys).toHaveLength(5);
      expect((await own.list({ prefix: "_bla/" })).keys).toHaveLength(4);
    },
    bucket_listv2_fetchowner_empty: async () => {
      await own.put("foo");
      expect((await own.list({ "list-type": "2", "fetch-owner": "false" })).text).not.toContain("<Owner>");
    },
    bucket_listv2_startafter_unreadable: async () => {
      await own.fill(["bar", "baz", "foo", "quxx"]);
      expect((await own.list({ "list-type": "2", "start-after": "\n" })).keys).toEqual(["bar", "baz", "foo", "quxx"]);
    },
    bucketv2_notexist: async () =>
      expect((await own.list({ "list-type": "2" }, "nothing-here")).code).toBe("NoSuchBucket"),
    bucket_list_marker_empty: async () => {
      await own.fill(["bar", "foo"]);
      expect((await own.list({ marker: "" })).keys).toEqual(["bar", "foo"]);
    },
    bucket_list_marker_not_in_list: async () => {
      await own.fill(["bar", "baz", "foo", "quxx"]);
      expect((await own.list({ marker: "blah" })).keys).toEqual(["foo", "quxx"]);
    },
    bucket_list_marker_after_list: async () => {
      await own.fill(["bar", "foo"]);
      expect((await own.list({ marker: "zzz" })).keys).toEqual([]);
    },
    bucket_list_marker_unreadable: async () => {
      await own.fill(["bar", "foo"]);
      expect((await own.list({ marker: "\n" })).keys).toEqual(["bar", "foo"]);
    },
    bucket_listv2_startafter_not_in_list: async () => {
      await own.fill(["bar", "baz", "foo"]);
      expect((await own.list({ "list-type": "2", "start-after": "blah" })).keys).toEqual(["foo"]);
    },
    bucket_listv2_startafter_after_list: async () => {
      await own.fill(["bar"]);
      expect((await own.list({ "list-type": "2", "start-after": "zzz" })).keys).toEqual([]);
    },
    bucket_listv2_continuationtoken_empty: async () =>
      expect((await own.list({ "list-type": "2", "continuation-token": "" })).code).toBe("InvalidArgument"),
    bucket_listv2_continuationtoken: async () => {
      await own.fill(["bar", "baz", "foo", "quxx"]);
      const first = await own.list({ "list-type": "2", "max-keys": "1" });
      const second = await own.list({ "list-type": "2", "continuation-token": first.next ?? "" });
      expect([second.keys, second.isTruncated]).toEqual([["baz", "foo", "quxx"], false]);
    },
    bucket_listv2_both_continuationtoken_startafter: async () => {
      await own.fill(["bar", "baz", "foo", "quxx"]);
      const first = await own.list({ "list-type": "2", "start-after": "bar", "max-keys": "1" });
      const more = { "start-after": "bar", "continuation-token": first.next ?? "" };
      expect((await own.list({ "list-type": "2", ...more })).keys).toEqual(["foo", "quxx"]);
    },
    bucket_listv2_fetchowner_notempty: async () => {
      await own.put("foo");
      expect((await own.list({ "list-type": "2", "fetch-owner": "true" })).text).toContain("<Owner>");
    },
    bucket_listv2_fetchowner_defaultempty: async () => {
      await own.put("foo");
      expect((await own.list({ "list-type": "2" })).text).not.toContain("<Owner>");
    },
    bucket_list_return_data: async () => {
      const { headers } = await own.put("foo", "12345");
      const { text } = await own.list({});
      expect(text).toContain(`<ETag>${(headers.get("etag") ?? "").replaceAll('"', "&quot;")}</ETag><Size>5</Size>`);
    },
    bucket_notexist: async () => expect((await own.list({}, "nothing-here")).code).toBe("NoSuchBucket"),
    bucket_delete_notexist: async () =>
      expect((await own.call("DELETE", {}, "nothing-here")).code).toBe("NoSuchBucket"),
    bucket_delete_nonempty: async () => {
      await own.put("foo");
      expect((await own.call("DELETE")).code).toBe("BucketNotEmpty");
    },
  } satisfies Cases);
  return cases;
}
