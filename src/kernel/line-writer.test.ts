import { expect, test } from "bun:test";
import { createLineWriter } from "./line-writer.ts";

function createWriter() {
  const texts: string[] = [];
  const turns: (() => void)[] = [];
  const writer = createLineWriter(
    (text) => void texts.push(text),
    (run) => void turns.push(run),
  );
  return { ...writer, texts, endTurn: () => turns.splice(0).forEach((run) => void run()) };
}

test("lines of one turn are handed on together and in order", () => {
  const { write, endTurn, texts } = createWriter();
  write("a", "info");
  write("b", "debug");
  expect(texts).toEqual([]);
  endTurn();
  write("c", "info");
  endTurn();
  expect(texts).toEqual(["a\nb", "c"]);
});

test.each(["warn", "error"] as const)(
  "a line of level %s goes at once, after those before it, and only once",
  (level) => {
    const { write, endTurn, texts } = createWriter();
    write("before", "info");
    write("bad", level);
    expect(texts).toEqual(["before\nbad"]);
    endTurn();
    expect(texts).toEqual(["before\nbad"]);
  },
);

test("what waits at the end of the process is handed on", () => {
  const { write, flush, endTurn, texts } = createWriter();
  write("last", "info");
  flush();
  endTurn();
  expect(texts).toEqual(["last"]);
});

test("without a schedule of its own it writes in the next turn", async () => {
  const texts: string[] = [];
  const { write } = createLineWriter((text) => void texts.push(text));
  write("a", "info");
  write("b", "info");
  await new Promise((resolve) => setImmediate(resolve));
  expect(texts).toEqual(["a\nb"]);
});
