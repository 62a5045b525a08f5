import { expect, test } from "bun:test";
import { filterTemplates } from "./filter.ts";

test("the store finds by words and lists by name", () => {
  const list = ["zeta", "vaultwarden", "alpha"].map((name) => ({
    name,
    display_name: name,
    description: "",
    tagline: "",
    category: "x",
    version: "1",
    icon: "box",
    featured: name === "zeta",
  }));
  expect(filterTemplates(list, { search: "vault", category: null }).map((item) => item.name)).toEqual(["vaultwarden"]);
  expect(filterTemplates(list, { search: "", category: null })[0]?.name).toBe("alpha");
});
