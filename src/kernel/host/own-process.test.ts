import { expect, test } from "bun:test";
import { ProcessEnded, startProcess } from "./own-process.ts";

const start = (until: AbortSignal) => startProcess<number, string>("../tests/kit/long-answer-child", until);

test.each([
  ["that is longer than any", 100_000],
  ["that cannot be read", 0],
])("an answer %s ends its process, as if there were none", async (_what, characters) => {
  const ending = new AbortController();
  try {
    const child = start(ending.signal);
    expect(await child.ask(3, 10_000)).toBe("aaa");
    const failures = [];
    for (const asked of [characters, 3]) failures.push(await child.ask(asked, 10_000).catch((error: unknown) => error));
    expect(failures).toEqual([new ProcessEnded(false), new ProcessEnded(false)]);
  } finally {
    ending.abort();
  }
});
