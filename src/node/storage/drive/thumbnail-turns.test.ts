import { beforeEach, expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createIds } from "../../../lib/ids.ts";
import type { Needs } from "./needs.ts";
import { createThumbnails, type Thumbnails } from "./thumbnails.ts";

const clock = createFakeClock();
let thumbnails: Thumbnails;
/** What was looked at to make a picture of it, in this order. */
let made: string[];
/** Nothing is made before this is so. */
let mayBegin: PromiseWithResolvers<void>;

beforeEach(() => {
  made = [];
  mayBegin = Promise.withResolvers();
  const contents = {
    async open(sha256: string) {
      made.push(sha256);
      await mayBegin.promise;
      // Each takes a while.
      await clock.advance(100);
      return (async function* () {
        yield Buffer.from("no picture");
      })();
    },
  };
  const config = { data_dir: makeScratch("thumbnail-turns") } as Needs["config"];
  const objectStore = { sealing: () => ({ on: false }) } as Needs["objectStore"];
  thumbnails = createThumbnails({ config, ids: createIds(clock.now), clock, objectStore }, contents);
});

/** The code that somebody is answered with. */
const ask = (userId: string, sha256: string, left = new AbortController().signal): Promise<string> =>
  thumbnails.get({ sha256, size_bytes: 10 }, { userId, left }).then(
    () => "made",
    (error: { code: string }) => error.code,
  );

test("who wants one small picture waits for one of those whom another account wants", async () => {
  const many = ["a1", "a2", "a3", "a4"].map((name) => ask("a", name));
  const one = ask("b", "b1");
  mayBegin.resolve();
  expect(await one).toBe("drive_no_thumbnail");
  await Promise.all(many);
  expect(made).toEqual(["a1", "b1", "a2", "a3", "a4"]);
});

test("several who want the same one have it made once, and none is made for whoever has gone", async () => {
  const leaving = new AbortController();
  const stay = [ask("a", "a1"), ask("b", "a1")];
  const gone = ask("a", "a2", leaving.signal);
  const last = [ask("a", "a3"), ask("a", "a1")];
  leaving.abort();
  mayBegin.resolve();
  expect(await gone).toBe("too_many_requests");
  expect(new Set(await Promise.all([...stay, ...last]))).toEqual(new Set(["drive_no_thumbnail"]));
  expect(made.toSorted()).toEqual(["a1", "a3"]);
});

test("of one account only so many wait, and another finds a place", async () => {
  const many = Array.from({ length: 70 }, (_, no) => ask("a", `a${no}`));
  const one = ask("b", "b1");
  mayBegin.resolve();
  const codes = await Promise.all(many);
  const refused = codes.filter((code) => code === "too_many_requests").length;
  // The first may have its turn already when the last one comes.
  expect([9, 10]).toContain(refused);
  expect(await one).toBe("drive_no_thumbnail");
});
