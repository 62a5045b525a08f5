import { expect, test } from "bun:test";
import { keepReadings } from "./keep-readings.ts";

function counting(most: number) {
  const asked: string[] = [];
  const read = keepReadings((text) => {
    asked.push(text);
    return { text };
  }, most);
  return { read, asked };
}

test("a text is read once, and the same comes back", () => {
  const { read, asked } = counting(10);
  expect(read("one")).toBe(read("one"));
  expect(read("two").text).toBe("two");
  expect(asked).toEqual(["one", "two"]);
});

test("what was used longest ago gives way to what is new, by letters", () => {
  const { read, asked } = counting(6);
  read("aaa");
  read("bbb");
  read("aaa");
  read("ccc");
  read("aaa");
  read("bbb");
  expect(asked).toEqual(["aaa", "bbb", "ccc", "bbb"]);
});

test("a text that is longer than all may be is read, and moves nothing out", () => {
  const { read, asked } = counting(3);
  read("aaa");
  expect(read("dddd").text).toBe("dddd");
  read("aaa");
  expect(asked).toEqual(["aaa", "dddd"]);
});
