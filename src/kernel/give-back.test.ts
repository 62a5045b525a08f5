import { expect, test } from "bun:test";
import { giveBackWhenQuiet } from "./give-back.ts";

function createProgram() {
  let requests = 0;
  let times = 0;
  const job = giveBackWhenQuiet(
    () => requests,
    () => void times++,
  );
  return {
    /** Answers `count` requests, looks once, and tells how often memory was given back so far. */
    async look(count: number): Promise<number> {
      requests += count;
      await job.run(new AbortController().signal);
      return times;
    },
  };
}

test("memory is given back once after the start, and once after each time of work", async () => {
  const program = createProgram();
  expect(await program.look(0)).toBe(1);
  expect(await program.look(0)).toBe(1);
  expect(await program.look(500)).toBe(1);
  expect(await program.look(11)).toBe(1);
  expect(await program.look(0)).toBe(2);
  expect(await program.look(0)).toBe(2);
});

test("a program that is busy from the start on is left alone until it is not", async () => {
  const program = createProgram();
  expect(await program.look(500)).toBe(0);
  expect(await program.look(500)).toBe(0);
  expect(await program.look(3)).toBe(1);
});

test("whoever only looks whether the program lives is no work", async () => {
  const program = createProgram();
  for (let time = 0; time < 50; time++) expect(await program.look(4)).toBe(1);
});
