import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { failureWords } from "./failure-words.ts";

const thrownBy = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
};

test("a port that is taken is told with its number, whoever asked for it", async () => {
  using holder = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = holder;
  const words = `Another program listens on port ${port} already. Find it with: ss -ltnp 'sport = :${port}'; or choose another port.`;
  const served = thrownBy(() => Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response() }));
  const { promise, resolve } = Promise.withResolvers<Error>();
  createServer().on("error", resolve).listen(port, "127.0.0.1");
  expect([failureWords(served), failureWords(await promise)]).toEqual([words, words]);
});

test("a file where the data folder should be is named", () => {
  const file = join(makeScratch("words"), "data");
  writeFileSync(file, "");
  const words = thrownBy(() => mkdirSync(file, { recursive: true }));
  expect(failureWords(words)).toBe(
    `${file} is not a folder. Move away what is there, or choose another folder with --data.`,
  );
});
