import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openS3Suite, type S3Suite } from "../../../../tests/kit/s3-suite.ts";
import { type WatchedThreads, watchThreads } from "../../../../tests/kit/watch-threads.ts";
import { createComingSums } from "./coming-sums.ts";

let own: S3Suite;
let threads: WatchedThreads;
beforeAll(async () => {
  // A thread of an earlier test would go on unwatched; what it cannot do ends it.
  const unknown = createComingSums(["none" as never]);
  for (let count = 0; count < 2; count += 1) await unknown.add(new Uint8Array(300_000));
  await unknown.end().catch(() => {});
  threads = watchThreads();
  own = await openS3Suite();
});
afterAll(async () => {
  threads.stop();
  await own.close();
});

const MIB = 1024 * 1024;
const body = (letter: string) => letter.repeat(4 * MIB);

/** Ends the thread. */
const kill = () => threads.kill("sums-thread");

test("where the thread that sums up dies in the middle of an upload, it fails, and what was there stays", async () => {
  await own.put("large", body("a"));
  const incoming = join(own.node.dataDir, "objects/incoming");
  const dies = async () => {
    await own.arrived(MIB);
    await kill();
  };
  expect(await own.putInHalves("large", body("b"), dies)).toEqual({ status: 500, code: "InternalError" });
  expect((await own.get("large")).text === body("a")).toBe(true);
  expect(readdirSync(incoming)).toEqual([]);
});

test("the next upload has a thread of its own again", async () => {
  for (const letter of ["c", "d"]) {
    const { status, headers } = await own.put("large", body(letter));
    const sum = new Bun.CryptoHasher("md5").update(body(letter)).digest("hex");
    expect([status, headers.get("etag")]).toEqual([200, `"${sum}"`]);
    expect((await own.get("large")).text === body(letter)).toBe(true);
    // Nobody uses it now.
    await kill();
  }
});
