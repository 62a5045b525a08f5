import { expect, test } from "bun:test";
import { nameProblem } from "./name.ts";
import { chooseStarters, fitOf } from "./starters.ts";

test("host names follow the rule of the server", () => {
  expect(nameProblem("atlas-2")).toBeNull();
  for (const wrong of ["", "-a", "a-", "a b", "A", "ä", "a".repeat(64)]) expect(nameProblem(wrong)).not.toBeNull();
});

test("starters are the preferred ones that exist, and memory decides whether they fit", () => {
  const template = (name: string, featured: boolean) => ({
    name,
    display_name: name,
    description: "",
    tagline: "",
    category: "x",
    version: "1",
    icon: "box",
    featured,
  });
  const list = [
    template("zeta", true),
    template("vaultwarden", false),
    template("alpha", false),
    template("immich", false),
  ];
  expect(chooseStarters(list).map((item) => item.name)).toEqual(["immich", "vaultwarden", "zeta", "alpha"]);
  const needs = (ram_mb: number) => ({ needs: { ram_mb } });
  expect([
    fitOf([needs(100)], 1000).verdict,
    fitOf([needs(800)], 1000).verdict,
    fitOf([needs(600), needs(600)], 1000).verdict,
  ]).toEqual(["well", "tight", "not"]);
});
