import { afterEach, expect, test } from "bun:test";
import { markReachable, markUnreachable, offline, probeNow } from "./connection.ts";

const own = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = own;
  markReachable();
});

test("a probe that fails after the server has answered does not call it gone", async () => {
  const { promise, reject } = Promise.withResolvers<Response>();
  globalThis.fetch = Object.assign(() => promise, { preconnect: own.preconnect });
  markUnreachable();
  probeNow();
  markReachable();
  reject(new TypeError("no answer"));
  await Bun.sleep(0);
  expect(offline.value).toBeNull();
});
