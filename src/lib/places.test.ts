import { expect, test } from "bun:test";
import { createPlaces } from "./places.ts";

test("a place is taken of each owner or of none, and given back once", () => {
  const places = createPlaces();
  const ask = (account: string) =>
    places.take([
      { key: account, most: 2 },
      { key: "all", most: 3 },
    ]);
  const first = ask("a");
  expect([first.full, ask("a").full]).toEqual([null, null]);
  expect(ask("a").full).toEqual({ key: "a", most: 2 });
  expect(ask("b").full).toBeNull();
  expect(ask("b").full).toEqual({ key: "all", most: 3 });
  if (first.full === null) {
    first.give();
    first.give();
  }
  expect(ask("b").full).toBeNull();
  expect(ask("c").full).toEqual({ key: "all", most: 3 });
});
