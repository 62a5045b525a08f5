import { expect, test } from "bun:test";
import { EngineError, type OutputLine } from "../runtime/index.ts";
import { readNewestOf } from "./read-lines.ts";

const ended = new AbortController().signal;

/** An engine that refuses to read with that status. */
const refusing = (status: number) => ({
  readLogs: (): Promise<AsyncIterable<OutputLine>> => Promise.reject(new EngineError(status, "not this one")),
});

test("a container that went, or is just being removed, has no lines and is no fault", async () => {
  expect(await readNewestOf(refusing(404), "web", 8, ended)).toBeNull();
  expect(await readNewestOf(refusing(409), "web", 8, ended)).toBeNull();
  expect(readNewestOf(refusing(500), "web", 8, ended)).rejects.toThrow("not this one");
});
