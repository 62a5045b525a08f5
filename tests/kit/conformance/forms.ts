import { expect } from "bun:test";
import type { Cases, S3Suite } from "../s3-suite.ts";

type Fields = Record<string, string>;

/** A form: what its policy says, what it sends, and what is answered. */
interface FormCase {
  conditions?: readonly unknown[];
  fields?: Fields;
  file?: string;
  /** Changes the fields that sign it. */
  sign?: (signed: Fields) => Fields;
  /** Changes the policy before it is signed. */
  policy?: (policy: Record<string, unknown>) => Record<string, unknown>;
  minutes?: number;
  answer: number;
}

const KEY = ["starts-with", "$key", "foo"];
const TYPE = ["starts-with", "$Content-Type", "text/plain"];
const ACL = { acl: "private" };
const USUAL = [KEY, ACL, TYPE, ["content-length-range", 0, 1024]];
const SENT = { key: "foo.txt", acl: "private", "Content-Type": "text/plain" };
const MIB = 1024 * 1024;
const withRange = (...range: unknown[]) => [KEY, ACL, TYPE, ["content-length-range", ...range]];
const without = (name: string) => (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
/** A policy with a name written another way. */
const renamed = (from: string, to: string) => (policy: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(policy).map(([name, value]) => [name === from ? to : name, value]));
const left = (name: string) => (policy: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(policy).filter(([field]) => field !== name));
const ESCAPED = "\\$foo";

const FORMS: Record<string, FormCase> = {
  authenticated_request: { answer: 204 },
  authenticated_no_content_type: { conditions: [KEY, ACL], fields: { key: "foo.txt", acl: "private" }, answer: 204 },
  authenticated_request_bad_access_key: {
    sign: (signed) => ({ ...signed, "x-amz-credential": (signed["x-amz-credential"] ?? "").replace(/^[^/]+/, "foo") }),
    answer: 403,
  },
  invalid_access_key: {
    sign: (signed) => ({ ...signed, "x-amz-credential": (signed["x-amz-credential"] ?? "").replace("/", "x/") }),
    answer: 403,
  },
  invalid_signature: {
    sign: (signed) => ({ ...signed, "x-amz-signature": [...(signed["x-amz-signature"] ?? "")].toReversed().join("") }),
    answer: 403,
  },
  missing_signature: { sign: without("x-amz-signature"), answer: 400 },
  expired_policy: { minutes: -100, answer: 403 },
  upload_larger_than_chunk: { conditions: withRange(0, 5 * MIB), file: "f".repeat(3 * MIB), answer: 204 },
  upload_size_rgw_chunk_size_bug: {
    conditions: withRange(4 * MIB, 12 * MIB),
    file: "x".repeat(4 * MIB + 200),
    answer: 204,
  },
  upload_size_limit_exceeded: { conditions: withRange(0, 0), answer: 400 },
  upload_size_below_minimum: { conditions: withRange(512, 1000), answer: 400 },
  invalid_content_length_argument: { conditions: withRange(-1, 0), answer: 400 },
  missing_content_length_argument: { conditions: withRange(0), answer: 400 },
  empty_conditions: { conditions: [{}], answer: 400 },
  missing_conditions_list: { policy: left("conditions"), answer: 400 },
  missing_expires_condition: { policy: left("expiration"), answer: 400 },
  condition_is_case_sensitive: { policy: renamed("conditions", "CONDITIONS"), answer: 400 },
  expires_is_case_sensitive: { policy: renamed("expiration", "EXPIRATION"), answer: 400 },
  no_key_specified: { conditions: [ACL, TYPE], fields: { acl: "private", "Content-Type": "text/plain" }, answer: 400 },
  case_insensitive_condition_fields: {
    conditions: [["StArTs-WiTh", "$KeY", "foo"], { AcL: "private" }, ["StArTs-WiTh", "$CoNtEnT-TyPe", "text/plain"]],
    fields: { kEy: "foo.txt", aCl: "private", "Content-Type": "text/plain" },
    answer: 204,
  },
  escaped_field_values: {
    conditions: [["starts-with", "$key", ESCAPED], ACL, TYPE],
    fields: { ...SENT, key: `${ESCAPED}.txt` },
    answer: 204,
  },
  ignored_header: { fields: { ...SENT, "x-ignore-foo": "bar" }, answer: 204 },
  user_specified_header: {
    conditions: [...USUAL, ["starts-with", "$x-amz-meta-foo", "bar"]],
    fields: { ...SENT, "x-amz-meta-foo": "barclamp" },
    answer: 204,
  },
  tags_authenticated_request: {
    conditions: [...USUAL, ["starts-with", "$tagging", "<Tagging>"]],
    fields: {
      ...SENT,
      tagging: "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>",
    },
    answer: 204,
  },
};

/** Forms that somebody signed for a browser. */
export function formCases(own: S3Suite): Cases {
  async function send({
    conditions = USUAL,
    fields = SENT,
    file = "bar",
    sign,
    policy,
    minutes = 100,
    answer,
  }: FormCase) {
    const made = own.signForm([{ bucket: own.BUCKET }, ...conditions], minutes, policy);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...(sign?.(made) ?? made) })) form.append(name, value);
    form.append("file", new File([file], "bar.txt"));
    const answered = await fetch(`${own.url}/${own.BUCKET}`, { method: "POST", body: form });
    expect([answered.status, answered.status === 204 ? "" : await answered.text()]).toEqual([
      answer,
      answer === 204 ? "" : expect.stringContaining("<Code>"),
    ]);
    const [key] = (await own.list({})).keys;
    if (answer !== 204) expect(key).toBeUndefined();
    else expect((await own.get(key ?? "")).text === file).toBe(true);
    return key ?? "";
  }

  const cases: Cases = {};
  for (const [name, form] of Object.entries(FORMS)) cases[`post_object_${name}`] = () => send(form);
  const sent = (name: string) => send(FORMS[name] ?? { answer: 0 });
  return Object.assign(cases, {
    post_object_user_specified_header: async () => {
      const key = await sent("user_specified_header");
      expect((await own.get(key)).headers.get("x-amz-meta-foo")).toBe("barclamp");
    },
    post_object_upload_checksum: async () => {
      const file = "x".repeat(2 * 1024 * 1024);
      const conditions = [
        ["starts-with", "$key", "foo_cksum_test"],
        ["starts-with", "$x-amz-checksum-sha256", ""],
      ];
      const key = "foo_cksum_test.txt";
      const sum = "aTL9MeXa9HObn6eP93eygxsJlcwdCwCTysgGAZAgE7w=";
      for (const bad of ["sailorjerry", `A${sum.slice(1)}`])
        await send({ conditions, fields: { key, "x-amz-checksum-sha256": bad }, file, answer: 400 });
      await send({ conditions, fields: { key, "x-amz-checksum-sha256": sum }, file, answer: 204 });
      const { headers } = await own.call("HEAD", { key, headers: { "x-amz-checksum-mode": "ENABLED" } });
      expect(headers.get("x-amz-checksum-sha256")).toBe(sum);
    },
    post_object_tags_authenticated_request: async () => {
      const key = await sent("tags_authenticated_request");
      expect((await own.get(key, {}, { tagging: "" })).text).toContain("<Key>k</Key><Value>v</Value>");
    },
  } satisfies Cases);
}
