import { expect, test } from "bun:test";
import { createWaitingLines } from "./waiting-lines.ts";

const line = (text: string) => ({ at: "", service: "web", stream: "stdout" as const, level: null, text });

test("what waits for a slow reader is bounded by its text, and the newest of it is there", async () => {
  const end = new AbortController();
  const waiting = createWaitingLines(end.signal);
  for (let count = 1; count <= 100; count += 1) waiting.push(line(`${count} ${"x".repeat(262_000)}`));
  waiting.lines.close();
  const read: string[] = [];
  for await (const { text } of waiting.lines) read.push(text);
  expect(read.join("").length).toBeLessThanOrEqual(2_097_152);
  expect([read.length, read.at(-1)?.slice(0, 3)]).toEqual([8, "100"]);
});
