import { expect, test } from "bun:test";
import { createHoldings } from "./holdings.ts";

test("what is held counts for its account and in all, and is given back", () => {
  const holdings = createHoldings<string>({ max: 100, maxOf: (account) => (account === "large" ? 90 : 40) }, () => {});
  expect(holdings.note("a", "small", 30)).toBe(true);
  expect(holdings.note("b", "small", 11)).toBe(false);
  holdings.drop("b");
  expect(holdings.note("a", "small", 40)).toBe(true);
  expect(holdings.note("c", "large", 60)).toBe(true);
  expect(holdings.note("a", "small", 0)).toBe(true);
  expect(holdings.note("c", "large", 91)).toBe(false);
  holdings.drop("c");
  holdings.drop("nobody");
  expect(holdings.sum()).toBe(0);
});

test("accounts that hold all that they may make room for whoever holds less, and not for one another", () => {
  const gone: string[] = [];
  const holdings = createHoldings<string>(
    { max: 100, maxOf: (account) => (account === "large" ? 100 : 25) },
    (owner) => void gone.push(owner),
  );
  for (const account of ["a", "b", "c"])
    for (const bytes of [12, 13]) expect(holdings.note(`${account}${bytes}`, account, bytes)).toBe(true);
  // A large account has not all of its own yet: those that have make room for it, and for somebody who has just come.
  expect([holdings.note("large", "large", 30), gone]).toEqual([true, ["a13"]]);
  expect([holdings.note("d", "d", 20), gone]).toEqual([true, ["a13", "b13"]]);
  expect([holdings.note("a13", "a", 13), gone]).toEqual([false, ["a13", "b13"]]);
  holdings.drop("a13");
  expect([holdings.note("e", "e", 1), holdings.sum() <= 100]).toEqual([true, true]);
});
