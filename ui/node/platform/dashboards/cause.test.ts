import { expect, test } from "bun:test";
import { shortenDigests, tellCause } from "./cause.ts";

const SHA = "b5b2b2c507a0944348e0303114d8d93aaaa081732b86451d9bce1f432a537bc7";

test("a plain sentence stays what it is", () => {
  expect(tellCause("web ended with exit code 1.")).toEqual({ words: "web ended with exit code 1.", details: null });
});

test("a digest is as long as people compare it, and the whole text is in the details", () => {
  const text = `The image nginx@sha256:${SHA} could not be pulled: manifest for nginx@sha256:${SHA} not found: manifest unknown`;
  expect(tellCause(text)).toEqual({
    words: "The image nginx@sha256:b5b2b2c507a0… could not be pulled.",
    details: text,
  });
  expect(shortenDigests("sha256:abc")).toBe("sha256:abc");
});

test("a text without an end is cut where a line ends", () => {
  const { words, details } = tellCause("x".repeat(500));
  expect(words.length).toBe(160);
  expect(details?.length).toBe(500);
});
