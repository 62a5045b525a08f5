import { expect, test } from "bun:test";
import type { Key } from "./feature.ts";
import { pageKeys, sheetOf, startKeys } from "./keys.ts";
import type { Screen } from "./screens.ts";

Object.assign(globalThis, { navigator: { userAgent: "Linux" }, HTMLElement: class {} });

const screens: Screen[] = [
  {
    id: "users",
    pattern: "/users",
    title: "Users",
    icon: "users",
    nav: { key: "u", group: "main", order: 1 },
    view: Object.assign(() => null, { prefetch: () => {} }),
  },
];

test("every key that is listened to is on the sheet, and each line of it for every page is listened to", () => {
  const ran: string[] = [];
  const lock: Key = { press: "L", shown: ["Shift", "L"], what: "Lock", run: () => void ran.push("lock") };
  const keys = pageKeys({ palette: () => void ran.push("palette"), sheet: () => void ran.push("sheet") }, [lock]);
  const page = Object.assign(new EventTarget(), { querySelector: () => null });
  const before = globalThis.document;
  Object.assign(globalThis, { document: page });
  const stop = startKeys(keys, screens);
  const press = (key: string, more = {}) =>
    page.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key, ...more }));
  press("k");
  expect(ran).toEqual([]);
  for (const { press: key, command } of keys) press(key, command === true ? { ctrlKey: true } : {});
  stop();
  press("?");
  Object.assign(globalThis, { document: before });
  expect(ran).toEqual(["palette", "palette", "lock", "sheet"]);

  const groups = sheetOf(keys, screens, [{ title: "Fleet", keys: [{ shown: ["x"], what: "Select" }] }]);
  expect(groups.map(({ title }) => title)).toEqual(["Everywhere", "Go to", "Fleet", "Lists, menus and tabs"]);
  const lines = groups.flatMap((group) => group.keys.map(({ shown, what }) => `${shown.join(" ")}: ${what}`));
  for (const { shown, what } of keys) expect(lines).toContain(`${shown.join(" ")}: ${what}`);
  expect(lines).toContain("g u: Users");
});
