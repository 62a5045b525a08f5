import { expect, test } from "bun:test";
import { collectPage, type Feature } from "./feature.ts";
import type { Screen } from "./screens.ts";

const screen = (id: string, nav?: Screen["nav"]): Screen => ({
  id,
  pattern: `/${id}`,
  title: id,
  icon: "box",
  ...(nav === undefined ? {} : { nav }),
  view: Object.assign(() => null, { prefetch: () => {} }),
});
const groups = [
  { id: "main", label: "Main" },
  { id: "manage", label: "Manage" },
];
const piece = (order: number) => ({ order, view: () => null });

test("the menu has the order of its groups and of the places in them, whoever declares them first", () => {
  const features: Feature[] = [
    { screens: [screen("users", { key: "u", group: "manage", order: 10 }), screen("user")] },
    { screens: [screen("store", { key: "s", group: "main", order: 20 })] },
    { screens: [screen("home", { key: "h", group: "main", order: 10 })] },
  ];
  expect(collectPage(groups, features).screens.map(({ id }) => id)).toEqual(["home", "store", "users", "user"]);
});

test("what features put beside each other has its order, and nothing of any of them is lost", () => {
  const reaction = { on: { "app.status": () => {} } };
  const page = collectPage(groups, [
    { tool: piece(20), account: { order: 2, title: "News", icon: "star", to: "/news" }, reaction },
    { tool: piece(10), account: { order: 1, title: "Lock", icon: "lock", to: () => {} }, duty: () => () => {} },
    { partKeys: [{ title: "Fleet", keys: [] }] },
    { commands: { order: 5, use: () => [] }, prompt: () => null, head: () => null },
    { keys: [{ press: "L", shown: ["Shift", "L"], what: "Lock", run: () => {} }] },
  ]);
  expect(page.tools.map(({ order }) => order)).toEqual([10, 20]);
  expect(page.account.map(({ title }) => title)).toEqual(["Lock", "News"]);
  const { commands, prompts, heads, keys, partKeys, reactions, duties } = page;
  expect([commands, prompts, heads, keys, partKeys, reactions, duties].map((list) => list.length)).toEqual([
    1, 1, 1, 1, 1, 1, 1,
  ]);
});
