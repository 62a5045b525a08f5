import { expect, test } from "bun:test";
import type { Component } from "../../../../src/node/host/components/contract.ts";
import { goWords, isUnavailable, missingWords, planOf, setOf, stateOf, switchablesOf, versionOf } from "./words.ts";

const component = (id: string, more: Partial<Component> = {}): Component => ({
  id,
  title: id.toUpperCase(),
  summary: "",
  ui: null,
  requires: [],
  enabled: false,
  status: "disabled",
  cause: null,
  next_step: null,
  packages: [{ name: `${id}-tools`, installed: null, candidate: "1.2" }],
  options: [],
  defaults: [],
  removable: true,
  ...more,
});

test("the plan names packages with the versions that would come, and what is brought along", () => {
  const components = [component("a"), component("b", { requires: ["a"] }), component("c", { enabled: true })];
  expect(planOf({ components }, new Map([["b", true]]))).toEqual([
    { key: "a", title: "A: on, needed by B", text: "Installs a-tools 1.2" },
    { key: "b", title: "B: on", text: "Installs b-tools 1.2" },
  ]);
  const here = component("c", { enabled: true, packages: [{ name: "c-tools", installed: "1.0", candidate: "1.2" }] });
  expect(planOf({ components: [here] }, new Map([["c", false]]))).toMatchObject([{ text: "Removes c-tools" }]);
  expect(planOf({ components: [here] }, new Map([["c", true]]))).toMatchObject([
    { text: "Nothing to install, it is here already" },
  ]);
});

test("choices become the set that the server reads, and the button says what it does", () => {
  const choices = new Map([
    ["smart", true],
    ["tuning=zram", false],
  ]);
  expect(setOf(choices)).toBe("smart,-tuning=zram");
  expect(goWords([], choices)).toStartWith("Carry out");
  expect(goWords([{ key: "a", title: "", text: "" }], new Map([["a", true]]))).toBe("Turn on");
});

test("how something is stands in words, a choice before everything else", () => {
  expect(stateOf({ key: "a", status: "failed" }, new Map())).toEqual(["crit", "Not well"]);
  expect(stateOf({ key: "a", status: "failed" }, new Map([["a", false]]))).toEqual(["info", "Will be removed"]);
  expect(stateOf({ key: "a", status: "pending-apt" }, new Map())).toEqual(["busy", "Waits for apt"]);
});

test("what no package list has is known; sizes and versions that are unknown are not invented", () => {
  const missing = component("a", { packages: [{ name: "x", installed: null, candidate: null }] });
  expect([isUnavailable(missing), versionOf(missing)]).toEqual([true, null]);
  expect(missingWords(missing, true)).toContain("package lists");
  expect(missingWords(missing, false)).toBe("To have it, install x with this server's own package manager.");
  expect([isUnavailable(component("b")), versionOf(component("b"))]).toEqual([false, "1.2"]);
  expect(versionOf(component("b", { enabled: true }))).toBeNull();
  const [zram] = switchablesOf(
    component("tuning", {
      options: [
        { option: "zram", title: "Z", summary: "", enabled: true, status: "installed", cause: null, packages: [] },
      ],
    }),
  );
  expect(zram?.key).toBe("tuning=zram");
});
