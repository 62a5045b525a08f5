import { expect, test } from "bun:test";
import { createCommits } from "./commits.ts";
import type { Operation } from "./index.ts";

const removing = (etag: string): Operation => ({
  ...{ kind: "remove", bucketId: "a", key: new Uint8Array(100), when: { etag } },
});
const LONG = "e".repeat(2 * 1024 * 1024);
/** A change that holds 4 MiB of text. */
const large = (): Operation => removing(LONG);
const ending = (count: number): Operation => {
  const parts = Array.from({ length: count }, (_, at) => ({ number: at + 1, etag: "e" }));
  const object = { bucketId: "a", key: new Uint8Array(1), etag: "e", facts: "{}", at: 1, when: {} };
  return { kind: "completeUpload", uploadId: "u", parts, object };
};

/** Changes that wait for a writer that has stopped, until it goes on. */
function openStopped() {
  const stopped = Promise.withResolvers<void>();
  const written: Operation[] = [];
  const commit = createCommits(async (operations) => {
    await stopped.promise;
    written.push(...operations);
    return { outcomes: operations.map(() => ({ refused: null, size: 0 })), rows: operations.map(() => 1) };
  });
  const codes: string[] = [];
  const asked: Promise<unknown>[] = [];
  const ask = (operation: Operation, whose: string): void => {
    asked.push(commit(operation, whose).catch((error: { code: string }) => void codes.push(error.code)));
  };
  /** How many of them found no room so far. */
  const refused = async (): Promise<number> => {
    await new Promise(setImmediate);
    expect(codes.filter((code) => code !== "unavailable")).toEqual([]);
    return codes.length;
  };
  const goOn = async (): Promise<number> => {
    stopped.resolve();
    await Promise.all(asked);
    return written.length;
  };
  return { ask, refused, goOn };
}

test.each([
  ["what they depend on", large, 15],
  ["their parts", () => ending(10_000), 25],
  ["themselves", () => removing("e"), 20_000],
])(
  "changes that wait count for whoever asks by %s, and the next is refused before it waits",
  async (_, make, least) => {
    const { ask, refused, goOn } = openStopped();
    for (let at = 0; at < least; at += 1) ask(make(), "ann");
    expect(await refused()).toBe(0);
    for (let at = 0; at < least; at += 1) ask(make(), "ann");
    const before = await refused();
    expect(before).toBeGreaterThan(0);
    ask(removing("e"), "bob");
    ask({ kind: "abortUpload", uploadId: "u" }, "ann");
    expect(await refused()).toBe(before);
    expect(await goOn()).toBe(2 * least - before + 2);
    ask(make(), "ann");
    expect(await refused()).toBe(before);
  },
);

test("changes of many hold no more than there is room for in all, and who asks for little is heard", async () => {
  const { ask, refused, goOn } = openStopped();
  for (let whose = 0; whose < 40; whose += 1) for (let at = 0; at < 4; at += 1) ask(large(), `key ${whose}`);
  const before = await refused();
  expect(before).toBeGreaterThan(100);
  ask(removing("e"), "bob");
  expect(await refused()).toBe(before);
  expect(await goOn()).toBe(161 - before);
});
