import { expect, test } from "bun:test";
import { parseAnsi, stripAnsi } from "./ansi.ts";

test("colours become classes and reset ends them", () => {
  expect(parseAnsi("a \u001b[1;31mred\u001b[0m b")).toEqual([
    { text: "a ", class: "" },
    { text: "red", class: "a-red a-bold" },
    { text: " b", class: "" },
  ]);
});

test("256 and true colours do not leak their numbers into other styles", () => {
  expect(parseAnsi("\u001b[38;5;1mx\u001b[0m\u001b[38;2;3;4;5my")).toEqual([{ text: "xy", class: "" }]);
});

test("cursor moves, titles and control characters disappear", () => {
  expect(parseAnsi("\u001b[2K\u001b]0;title\u0007done\r")).toEqual([{ text: "done", class: "" }]);
  expect(stripAnsi("\u001b[33mwarn\u001b[39m: x")).toBe("warn: x");
});

test("markup stays text", () => {
  expect(parseAnsi("<b>&amp;</b>")).toEqual([{ text: "<b>&amp;</b>", class: "" }]);
});
