import { expect } from "bun:test";
import type { Cases, Query, S3Suite } from "../s3-suite.ts";

const MIB = 1024 * 1024;

/** Conditions on writing, and writes that meet other writes and reads. */
export function writeCases(own: S3Suite): Cases {
  const cases: Cases = {};
  const filled = (letter: string, size: number) => letter.repeat(size);

  /** Which letter all of an object is made of; what it is where it is torn. */
  async function letterOf(key: string, size: number): Promise<string> {
    const { text } = await own.get(key);
    return text === filled(text[0] ?? "", size) ? (text[0] ?? "") : `torn, ${text.length} bytes`;
  }

  for (const size of [1, 4, 8]) {
    const bytes = size * MIB;
    cases[`atomic_read_${size}mb`] = async () => {
      await own.put("testobj", filled("A", bytes));
      const answer = await fetch(own.s3.presign("GET", own.BUCKET, "testobj", 600));
      const reader = answer.body?.getReader();
      let read = new TextDecoder().decode((await reader?.read())?.value);
      await own.put("testobj", filled("B", bytes));
      for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
        read += new TextDecoder().decode(next.value);
      expect([read === filled("A", bytes), await letterOf("testobj", bytes)]).toEqual([true, "B"]);
    };
    cases[`atomic_write_${size}mb`] = async () => {
      await own.put("testobj", filled("A", bytes));
      let seen = "";
      await own.putInHalves("testobj", filled("B", bytes), async () => {
        seen = await letterOf("testobj", bytes);
      });
      expect([seen, await letterOf("testobj", bytes)]).toEqual(["A", "B"]);
    };
    cases[`atomic_dual_write_${size}mb`] = async () => {
      await own.putInHalves("testobj", filled("A", bytes), () => own.put("testobj", filled("B", bytes)));
      expect(await letterOf("testobj", bytes)).toBe("A");
    };
  }

  /** A PUT under a condition: its status and code. */
  type Attempt = (headers: Query) => Promise<{ status: number; code: string | null; etag: string }>;
  const whole: Attempt = async (headers) => {
    const { status, code, headers: told } = await own.put("obj", "data", headers);
    return { status, code, etag: told.get("etag") ?? "" };
  };
  const inParts: Attempt = async (headers) => {
    const { status, code, text } = await own.storeInParts("obj", ["data"], {}, headers);
    return { status, code, etag: `"${/<ETag>&quot;(.*?)&quot;</.exec(text)?.[1]}"` };
  };
  const FAILED = { status: 412, code: "PreconditionFailed" };
  const MISSING = { status: 404, code: "NoSuchKey" };
  const DONE = { status: 200 };

  for (const [kind, attempt] of [
    ["", whole],
    ["multipart_", inParts],
  ] as const) {
    const remove = () => own.call("DELETE", { key: "obj" });
    cases[`${kind}put_object_if_match`] = async () => {
      const { etag } = await attempt({ "if-none-match": "*" });
      expect(await attempt({ "if-none-match": "*" })).toMatchObject(FAILED);
      expect(await attempt({ "if-none-match": etag })).toMatchObject(FAILED);
      expect(await attempt({ "if-none-match": "badetag" })).toMatchObject(DONE);
      expect(await attempt({ "if-match": etag })).toMatchObject(DONE);
      await remove();
      expect(await attempt({ "if-match": "*" })).toMatchObject(MISSING);
      expect(await attempt({ "if-match": "badetag" })).toMatchObject(MISSING);
      expect(await attempt({ "if-none-match": etag })).toMatchObject(DONE);
      expect(await attempt({ "if-match": "*" })).toMatchObject(DONE);
      expect(await attempt({ "if-match": "badetag" })).toMatchObject(FAILED);
      expect(await attempt({ "if-match": etag })).toMatchObject(DONE);
    };
  }

  return Object.assign(cases, {
    put_object_ifmatch_overwrite_existed_good: async () => {
      await own.put("foo");
      expect((await own.put("foo", "zar", { "if-match": "*" })).status).toBe(200);
      expect((await own.get("foo")).text).toBe("zar");
    },
    put_object_ifnonmatch_good: async () => {
      await own.put("foo");
      expect((await own.put("foo", "zar", { "if-none-match": "ABCORZ" })).status).toBe(200);
      expect((await own.get("foo")).text).toBe("zar");
    },
    put_object_ifnonmatch_failed: async () => {
      const { headers } = await own.put("foo");
      const etag = headers.get("etag")?.replaceAll('"', "") ?? "";
      expect(await own.put("foo", "zar", { "if-none-match": etag })).toMatchObject(FAILED);
      expect((await own.get("foo")).text).toBe("bar");
    },
    atomic_conditional_write_1mb: async () => {
      const { headers } = await own.put("testobj", filled("A", MIB));
      let seen = "";
      const look = async () => {
        seen = await letterOf("testobj", MIB);
      };
      await own.putInHalves("testobj", filled("B", MIB), look, { headers: { "if-match": headers.get("etag") ?? "" } });
      expect([seen, await letterOf("testobj", MIB)]).toEqual(["A", "B"]);
    },
    atomic_dual_conditional_write_1mb: async () => {
      const { headers } = await own.put("testobj", filled("A", MIB));
      const condition = { "if-match": headers.get("etag") ?? "" };
      const other = () => own.put("testobj", filled("B", MIB), condition);
      expect(await own.putInHalves("testobj", filled("C", MIB), other, { headers: condition })).toEqual(FAILED);
      expect(await letterOf("testobj", MIB)).toBe("B");
    },
    atomic_multipart_upload_write: async () => {
      await own.put("foo");
      const uploadId = await own.begin("foo");
      expect((await own.get("foo")).text).toBe("bar");
      await own.call("DELETE", { key: "foo", query: { uploadId } });
      expect((await own.get("foo")).text).toBe("bar");
    },
    multipart_resend_first_finishes_last: async () => {
      const uploadId = await own.begin("mymultipart");
      let other = "";
      const query = { uploadId, partNumber: "1" };
      const send = async () => {
        other = await own.part("mymultipart", uploadId, 1, "BBBBBBBB");
      };
      const first = await own.putInHalves("mymultipart", "AAAAAAAA", send, { query });
      expect(first.status).toBe(200);
      const etag = new Bun.CryptoHasher("md5").update("AAAAAAAA").digest("hex");
      expect((await own.complete("mymultipart", uploadId, [[1, other]])).code).toBe("InvalidPart");
      await own.complete("mymultipart", uploadId, [[1, etag]]);
      expect((await own.get("mymultipart")).text).toBe("AAAAAAAA");
    },
    "100_continue_error_retry": async () => {
      const expecting = { unsigned: { expect: "100-continue" } };
      expect((await own.call("PUT", { key: "foo", body: "bar", ...expecting }, "nothing-here")).status).toBe(404);
      expect((await own.call("PUT", { key: "foo", body: "bar", ...expecting })).status).toBe(200);
    },
  } satisfies Cases);
}
