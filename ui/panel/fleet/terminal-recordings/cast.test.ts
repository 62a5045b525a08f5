import { expect, test } from "bun:test";
import { findText, readCast, withoutIdle } from "./cast.ts";

const text = [
  '{"version":2,"width":100,"height":30,"timestamp":0}',
  '[0.5,"o","one "]',
  '[1,"r","120x40"]',
  '[60,"o","Two"]',
  '[61,"i","typed"]',
  '[62,"o","cut o',
].join("\n");

test("a recording is read as far as it goes, without what is no output", () => {
  const cast = readCast(text);
  expect(cast).toMatchObject({ columns: 100, rows: 30, duration: 60 });
  expect(cast?.events.map(({ kind }) => kind)).toEqual(["output", "resize", "output"]);
  expect(readCast("no recording")).toBeNull();
  expect(readCast('{"version":3}')).toBeNull();
});

test("long pauses can be cut, and texts are found from a place on and around", () => {
  const cast = readCast(text);
  if (!cast) throw new Error("not read");
  expect(withoutIdle(cast).events.map(({ at }) => at)).toEqual([0.5, 1, 3]);
  expect([findText(cast, "two", 0), findText(cast, "ONE", 50), findText(cast, "three", 0)]).toEqual([60, 0.5, null]);
});
