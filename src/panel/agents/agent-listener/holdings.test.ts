import { expect, test } from "bun:test";
import { createHoldings } from "./holdings.ts";

test("what is held counts for its account and in all, and is given back", () => {
  const holdings = createHoldings<string>({ max: 100, maxOf: (account) => (account === "large" ? 90 : 40) });
  expect(holdings.note("a", "small", 30)).toBe(true);
  expect(holdings.note("b", "small", 11)).toBe(false);
  holdings.drop("b");
  expect(holdings.note("a", "small", 40)).toBe(true);
  expect(holdings.note("c", "large", 61)).toBe(false);
  expect(holdings.note("c", "large", 60)).toBe(true);
  expect(holdings.note("a", "small", 0)).toBe(true);
  expect(holdings.note("c", "large", 91)).toBe(false);
  holdings.drop("c");
  holdings.drop("nobody");
  expect(holdings.sum()).toBe(0);
});
