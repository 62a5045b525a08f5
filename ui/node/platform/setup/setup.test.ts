import { expect, test } from "bun:test";
import { nameProblem } from "./name.ts";
import { tellStarted } from "./started.ts";
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

test("what is said of the starter apps is true of those that were refused, too", () => {
  const ordered = (id: string) => ({ template: id, app_id: id, status: "installing" });
  const refused = { template: "vaultwarden", error: "The name is taken." };
  const titles = (items: Parameters<typeof tellStarted>[0], running: string[]) =>
    tellStarted(items, (id) => running.includes(id)).title;
  expect(titles([ordered("a"), ordered("b")], ["a"])).toBe("Installing");
  expect(titles([ordered("a"), ordered("b")], ["a", "b"])).toBe("All set");
  expect(titles([ordered("a"), refused], [])).toBe("Installing");
  expect(titles([ordered("a"), refused], ["a"])).toBe("All but 1 app");
  expect(tellStarted([refused], () => false)).toEqual({
    isDone: true,
    title: "No app was installed",
    lede: "The reason is below. The store has it at any time.",
  });
});
