import { beforeEach, expect, test } from "bun:test";
import { forgetRecents, recentsOf, remember } from "./recents.ts";

const kept = new Map<string, string>();
const page = (title: string, path = `/${title}`) => ({ path, title, group: "Page", icon: "box", detail: "" });

beforeEach(() => {
  kept.clear();
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    value: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => kept.set(key, text),
    },
  });
});

test("what was opened last comes first, once, and not more than six", () => {
  for (const title of ["a", "b", "c", "d", "e", "f", "g", "b"]) remember("ada/one", page(title));
  expect(recentsOf("ada/one").map(({ title }) => title)).toEqual(["b", "g", "f", "e", "d", "c"]);
});

test("another person or workspace is told nothing, and whoever signs out leaves nothing", () => {
  remember("ada/one", page("secret"));
  expect(recentsOf("ada/two")).toEqual([]);
  expect(recentsOf("ada/one")).toHaveLength(1);
  remember("eve/one", page("other"));
  expect(recentsOf("ada/one")).toEqual([]);
  forgetRecents();
  expect(recentsOf("eve/one")).toEqual([]);
  expect(JSON.stringify([...kept])).not.toContain("other");
});

test("what somebody else wrote there leads nowhere else", () => {
  for (const path of ["//evil.example", "javascript:alert(1)", 7])
    kept.set("orrery.recents", JSON.stringify({ person: "ada", pages: [{ ...page("x"), path }, null] }));
  expect(recentsOf("ada")).toEqual([]);
  kept.set("orrery.recents", "no json");
  expect(recentsOf("ada")).toEqual([]);
});
